import Accounts
import Testing

@Suite struct Argon2CostTests {
    @Test func `the default cost is 19 MiB and two iterations`() throws {
        #expect(Argon2Cost.default.memory == 19_456)
        #expect(Argon2Cost.default.iterations == 2)
        #expect(try Argon2Cost() == .default)
        #expect(try Argon2Cost(memory: 8).iterations == 2)
        #expect("\(Argon2Cost.default)" == "m=19456,t=2,p=1")
    }

    @Test(arguments: [(8, 1), (8, 16), (262_144, 4), (65_536, 16)])
    func `the ends of the ranges are allowed`(memory: Int, iterations: Int) throws {
        let cost = try Argon2Cost(memory: memory, iterations: iterations)
        #expect(cost.memory == memory)
        #expect(cost.iterations == iterations)
    }

    @Test(arguments: [7, 262_145, 0, -8, .min, .max])
    func `memory out of the range is rejected`(memory: Int) throws {
        let error = try #require(throws: PasswordSettingError.self) { try Argon2Cost(memory: memory) }
        #expect(error.allowed == 8...262_144)
        #expect(
            error.description
                == "the memory of a password hash in KiB must be from 8 to 262144, not \(memory)"
        )
    }

    @Test(arguments: [(262_144, 5), (65_537, 16)])
    func `more than a gibibyte in all iterations is rejected`(memory: Int, iterations: Int) throws {
        let error = #expect(throws: PasswordSettingError.self) {
            try Argon2Cost(memory: memory, iterations: iterations)
        }
        #expect(error?.value == memory * iterations)
    }

    @Test(arguments: [0, 17, -1, .min, .max])
    func `iterations out of the range are rejected`(iterations: Int) throws {
        let error = try #require(throws: PasswordSettingError.self) { try Argon2Cost(iterations: iterations) }
        #expect(error.value == iterations)
        #expect(error.allowed == 1...16)
    }
}
