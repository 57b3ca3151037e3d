/// `PasswordHashTests` have what is no hash, and the hashes of other systems.
@Suite(.fiveMinutes) struct Argon2idTests {
    let argon2id: Argon2id

    init() throws { argon2id = Argon2id(cost: try Argon2Cost(memory: 16, iterations: 2)) }

    // MARK: Hashes

    @Test func `a hash is a PHC string with its cost, and another one each time`() throws {
        let hash = try argon2id.hash("correct horse battery staple")
        #expect(hash.wholeMatch(of: /\$argon2id\$v=19\$m=16,t=2,p=1\$[A-Za-z0-9+\/]{22}\$[A-Za-z0-9+\/]{43}/) != nil)
        #expect(try PasswordHash(hash).cost == argon2id.cost)
        #expect(try argon2id.hash("correct horse battery staple") != hash)
    }

    static let mountain = "\u{1F3D4}"

    @Test(arguments: [
        ("correct horse battery staple", "Correct horse battery staple"), ("", " "), (mountain, ""),
        (mountain.repeated(4000), mountain.repeated(3999)),
        // Passwords are in NFC, also before they are hashed. NFKC would make the next two the same.
        ("cafe\u{301} s\u{307}\u{323}", "cafe s"), ("fine", "\u{FB01}ne"),
        // Every byte counts.
        ("before\0after", "before"), ("before\0after", "before\0afteR"), ("\0", ""), (" blank ", "blank"),
        ("line\n", "line"),
    ])
    func `a hash matches its password and no other`(password: String, other: String) throws {
        let hash = try PasswordHash(argon2id.hash(password))
        #expect(try hash.matches(password))
        #expect(try hash.matches(password.precomposedStringWithCanonicalMapping))
        #expect(try !hash.matches(other))
        #expect(try !hash.matches(password + "x"))
    }

    @Test func `a hash of another program and cost matches, unless a character is changed`() throws {
        // Both are from argon2-cffi 25.1.0, which uses the reference implementation.
        let (salt, digest) = ("$MDEyMzQ1Njc4OWFiY2RlZg", "$PVkT+RsEM8nNcOyCQwR/uzNjIHXOTcTgHLJomjf/wkw")
        func matches(_ password: String, _ hash: String) throws -> Bool { try PasswordHash(hash).matches(password) }
        let hash = "$argon2id$v=19$m=256,t=3,p=1"
        #expect(try matches("password", hash + salt + digest))
        #expect(try !matches("passwore", hash + salt + digest))
        #expect(try !matches("password", hash + "$A" + salt.dropFirst(2) + digest))
        #expect(try !matches("password", hash + salt + "$A" + digest.dropFirst(2)))
        let other = "$argon2id$v=19$m=64,t=1,p=1\(salt)$dOyfJmHZQkVufSmVGPf/A89HijW9PX/QwZT+rTmXAK8"
        #expect(try matches("pa\u{308}sswo\u{308}rd \u{1F3D4}", other))
        #expect(try !matches("password \u{1F3D4}", other))
    }

    // MARK: Costs

    @Test(arguments: [
        (16, 2, false), (15, 2, true), (16, 1, true), (64, 1, true), (8, 9, true), (17, 2, false), (16, 3, false),
    ])
    func `a hash needs to be replaced if it is cheaper`(memory: Int, iterations: Int, isNeeded: Bool) throws {
        let hash = try Argon2id(cost: Argon2Cost(memory: memory, iterations: iterations)).hash("password")
        #expect(argon2id.needsRehash(hash) == isNeeded)
        #expect(argon2id.needsRehash(" \(hash)"), "it is malformed")
    }

    @Test func `a dummy hash has the cost of any other one, and matches no password`() throws {
        let dummy = PasswordHash.dummy(argon2id.cost)
        #expect(dummy.cost == argon2id.cost)
        #expect(try !dummy.matches(""))
    }

    @Test func `a password of more than 4,096 code points never matches`() throws {
        for count in [4096, 4097] {
            let password = "a".repeated(count)
            #expect(try PasswordHash(argon2id.hash(password)).matches(password) == (count == 4096))
        }
        #expect(try !PasswordHash(argon2id.hash("")).matches("a".repeated(4097)))
    }
}
