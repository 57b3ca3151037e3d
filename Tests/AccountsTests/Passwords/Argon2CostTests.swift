struct Argon2CostTests {
    @Test func `the default cost is 19 MiB and two iterations`() throws {
        #expect("\(Argon2Cost.default)" == "m=19456,t=2,p=1")
        #expect(try Argon2Cost() == .default)
        #expect(try Argon2Cost(memory: 8).iterations == 2)
    }

    @Test(arguments: [(8, 1), (8, 16), (262_144, 4), (65_536, 16)])
    func `the ends of the ranges are allowed`(memory: Int, iterations: Int) throws {
        let cost = try Argon2Cost(memory: memory, iterations: iterations)
        #expect(cost.memory == memory && cost.iterations == iterations)
    }

    typealias Rejected = (memory: Int, iterations: Int, value: Int, allowed: ClosedRange<Int>)

    static let memories: [Rejected] = [7, 262_145, 0, -8, .min, .max].map { ($0, 2, $0, 8...262_144) }
    static let iterations: [Rejected] = [0, 17, -1, .min, .max].map { (8, $0, $0, 1...16) }
    /// More than a gibibyte.
    static let products: [Rejected] = [(262_144, 5, 1_310_720, 8...1_048_576), (65_537, 16, 1_048_592, 8...1_048_576)]

    @Test(arguments: memories + iterations + products)
    func `a number out of its range is rejected`(rejected: Rejected) throws {
        let error = try #require(throws: SettingError.self) {
            try Argon2Cost(memory: rejected.memory, iterations: rejected.iterations)
        }
        let (lowest, highest) = (rejected.allowed.lowerBound, rejected.allowed.upperBound)
        #expect(error.description.hasSuffix(" must be from \(lowest) to \(highest), not \(rejected.value)"))
    }
}
