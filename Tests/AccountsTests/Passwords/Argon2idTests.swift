import Accounts
import TestSupport

@Suite(.timeLimit(.minutes(5))) struct Argon2idTests {
    private let argon2id: Argon2id

    init() throws {
        argon2id = Argon2id(cost: try Argon2Cost(memory: 16, iterations: 2))
    }

    // MARK: Hashes

    @Test func `a hash is a PHC string with its cost`() throws {
        let hash = try argon2id.hash("correct horse battery staple")
        #expect(
            try #/\$argon2id\$v=19\$m=16,t=2,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}/#.wholeMatch(in: hash) != nil
        )
        #expect(argon2id.canVerify(hash))
    }

    @Test func `a hash matches its password and no other`() throws {
        let hash = try argon2id.hash("correct horse battery staple")
        #expect(try argon2id.verify("correct horse battery staple", hash))
        #expect(try !argon2id.verify("Correct horse battery staple", hash))
        #expect(try !argon2id.verify("", hash))
    }

    @Test func `two hashes of the same password differ`() throws {
        #expect(try argon2id.hash("password") != argon2id.hash("password"))
    }

    @Test func `a hash of another program matches`() throws {
        // Both are from argon2-cffi 25.1.0, which uses the reference implementation.
        let hash = "$argon2id$v=19$m=256,t=3,p=1$\(Self.salt)$\(Self.digest)"
        #expect(try argon2id.verify("password", hash))
        #expect(try !argon2id.verify("passwore", hash))
        let other = "$argon2id$v=19$m=64,t=1,p=1$\(Self.salt)$dOyfJmHZQkVufSmVGPf/A89HijW9PX/QwZT+rTmXAK8"
        #expect(try argon2id.verify("pa\u{308}sswo\u{308}rd \u{1F3D4}", other))
        #expect(try !argon2id.verify("password \u{1F3D4}", other))
    }

    // MARK: Texts

    @Test func `composed and decomposed characters are the same`() throws {
        let hash = try argon2id.hash("caf\u{E9} \u{1E69}")
        #expect(try argon2id.verify("cafe\u{301} s\u{307}\u{323}", hash))
        #expect(try !argon2id.verify("cafe s", hash))
    }

    @Test func `characters that only look alike differ`() throws {
        // NFKC would make them the same.
        #expect(try !argon2id.verify("\u{FB01}ne", argon2id.hash("fine")))
    }

    @Test(arguments: [
        ("before\0after", "before"), ("before\0after", "before\0afteR"), ("\0", ""), (" blank ", "blank"),
        ("line\n", "line"),
    ])
    func `every byte of a password counts`(password: String, other: String) throws {
        let hash = try argon2id.hash(password)
        #expect(try argon2id.verify(password, hash))
        #expect(try !argon2id.verify(other, hash))
    }

    @Test(arguments: ["", "\u{1F3D4}", String(repeating: "\u{1F3D4}", count: 4000)])
    func `empty and long passwords are hashed like any other`(password: String) throws {
        let hash = try argon2id.hash(password)
        #expect(try argon2id.verify(password, hash))
        #expect(try !argon2id.verify(password + "x", hash))
    }

    // MARK: Stored hashes

    private static let salt = "MDEyMzQ1Njc4OWFiY2RlZg"
    private static let digest = "PVkT+RsEM8nNcOyCQwR/uzNjIHXOTcTgHLJomjf/wkw"

    // `PasswordHashTests` have texts that are no hash at all.
    @Test(arguments: [
        "$argon2id$v=19$m=256,t=3$\(salt)$\(digest)",
        "$argon2id$v=19$m=256,t=3,p=1,data=AAAA$\(salt)$\(digest)",
        "$argon2id$v=19$m=,t=3,p=1$\(salt)$\(digest)",
        "$argon2id$v=19$m=+256,t=3,p=1$\(salt)$\(digest)",
        "$argon2id$v=19$m=-256,t=3,p=1$\(salt)$\(digest)",
        "$argon2id$v=19$m=99999999999999999999,t=3,p=1$\(salt)$\(digest)",
        "$argon2id$v=19$m=256,t=0,p=1$\(salt)$\(digest)",
        "$argon2id$v=19$m=256,t=3,p=2$\(salt)$\(digest)",
        "$argon2id$v=19$m=256,t=3,p=1$\(salt)",
        "$argon2id$v=19$m=256,t=3,p=1$$\(digest)",
        "$argon2id$v=19$m=256,t=3,p=1$\(salt)$",
        "$argon2id$v=19$m=256,t=3,p=1$\(salt)$\(digest)$",
        "$argon2id$v=19$m=256,t=3,p=1$\(salt)$\(digest)=",
        "$argon2id$v=19$m=256,t=3,p=1$\(salt)$\(digest)\0",
        "$argon2id$v=19$m=256,t=3,p=1$\(salt)$\(digest) ",
        "$argon2id$v=19$m=256,t=3,p=1$\(salt)$\(digest)\n",
        " $argon2id$v=19$m=256,t=3,p=1$\(salt)$\(digest)",
        // Shortened, changed and in another alphabet. The last digit of a digest has two bits that must be zero.
        "$argon2id$v=19$m=256,t=3,p=1$\(salt.dropLast())$\(digest)",
        "$argon2id$v=19$m=256,t=3,p=1$AAAA$\(digest)",
        "$argon2id$v=19$m=256,t=3,p=1$\(salt)AA$\(digest)",
        "$argon2id$v=19$m=256,t=3,p=1$\(salt)$\(digest.dropLast())",
        "$argon2id$v=19$m=256,t=3,p=1$\(salt)$\(digest.dropLast())x",
        "$argon2id$v=19$m=256,t=3,p=1$\(salt)$\(digest)A",
        "$argon2id$v=19$m=256,t=3,p=1$\(salt)$_\(digest.dropFirst())",
        "$argon2id$v=19$m=256,t=3,p=1$\(salt)$\(String(repeating: "A", count: 500))",
    ])
    func `a malformed hash matches no password`(hash: String) throws {
        #expect(!argon2id.canVerify(hash))
        #expect(try !argon2id.verify("password", hash))
        #expect(argon2id.needsRehash(hash))
    }

    @Test(arguments: ["A\(salt.dropFirst())$\(digest)", "\(salt)$A\(digest.dropFirst())", "\(digest)"])
    func `a hash with a changed character matches no password`(saltAndDigest: String) throws {
        #expect(try !argon2id.verify("password", "$argon2id$v=19$m=256,t=3,p=1$\(saltAndDigest)"))
    }

    @Test(arguments: ["m=262145,t=1", "m=4194304,t=1", "m=4294967295,t=1", "m=8,t=17", "m=8,t=4294967295"])
    func `a hash that exceeds the maximum cost matches no password`(cost: String) throws {
        let hash = "$argon2id$v=19$\(cost),p=1$\(Self.salt)$\(Self.digest)"
        #expect(!argon2id.canVerify(hash))
        #expect(try !argon2id.verify("password", hash))
    }

    // MARK: Costs

    @Test func `a hash of another cost matches`() throws {
        let hash = try argon2id.hash("password")
        #expect(try Argon2id(cost: Argon2Cost(memory: 64, iterations: 1)).verify("password", hash))
    }

    @Test(arguments: [
        (16, 2, false), (15, 2, true), (16, 1, true), (64, 1, true), (8, 9, true), (17, 2, false), (16, 3, false),
    ])
    func `a hash needs to be replaced if it is cheaper`(memory: Int, iterations: Int, isNeeded: Bool) throws {
        let hash = try Argon2id(cost: Argon2Cost(memory: memory, iterations: iterations)).hash("password")
        #expect(argon2id.needsRehash(hash) == isNeeded)
    }

    // MARK: The dummy

    @Test func `a dummy hash has the cost of any other one, and matches no password`() throws {
        let dummy = PasswordHash.dummy(argon2id.cost)
        #expect(dummy.cost == argon2id.cost)
        #expect(try !dummy.matches(""))
    }

    @Test func `a password of more than 4,096 code points never matches`() throws {
        for count in [4096, 4097] {
            let password = String(repeating: "a", count: count)
            #expect(try argon2id.verify(password, argon2id.hash(password)) == (count == 4096))
        }
        #expect(try !argon2id.verify(String(repeating: "a", count: 4097), argon2id.hash("")))
    }
}

extension Argon2id {
    fileprivate func canVerify(_ hash: String) -> Bool { (try? PasswordHash(hash))?.cost != nil }

    fileprivate func verify(_ password: String, _ hash: String) throws -> Bool {
        try (try? PasswordHash(hash))?.matches(password) ?? false
    }
}
