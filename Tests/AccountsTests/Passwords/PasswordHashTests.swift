struct PasswordHashTests {
    /// Hashes of `correct horse battery`, as other programs have computed them.
    static let hashes = [
        // bcrypt of Ruby (Devise) and PocketBase
        "$2a$04$F/iNJt6LnGBfIUQEs/i5lOX7Tu2tt6iVRNZm/TykVF4n85Q3H4XJC",
        // bcrypt of Auth0
        "$2b$04$7AqmPM3Ut/L1R3tIKXIAXuReedMECgPtgI3RZqt9EiYXyLN7T6UBK",
        // bcrypt of PHP
        "$2y$04$7AqmPM3Ut/L1R3tIKXIAXuReedMECgPtgI3RZqt9EiYXyLN7T6UBK",
        // passlib
        "$pbkdf2$1000$VSrl/B/D.N9bi5FyrvWesw$sSiU3PAUIa5.U0lYyxqBiNBL7Ds",
        // passlib
        "$pbkdf2-sha256$1000$whhjbK219l5rjdG6F6IU4g$YEH0j30uVt5hm2FItfSiIGhsutdXvWb.kKZxvjyfYLo",
        // passlib
        "$pbkdf2-sha512$1000$Pgcg5FzLOce4V6q1lnKOsdY6J.R8rw$65n0Zq6YVlcxw85MTTlz/nJenLszwIam/plVE1WtetvPZPriBPs2d0ycjhvVOVo3jaJ0smFTztvSeYmVnxxx1w",
        // Django
        "pbkdf2_sha256$1000$JH1Kq0vQdG2yNPVCmjZ7aN$t8bzCONkr7DV0uerBUKn9WOmNNqFGouHm1dOIYgmQvk=",
        // Django
        "pbkdf2_sha1$1000$s+./äx$DbNC0p7T9NOHD89roeDtUyte3DM=",
        // argon2-cffi
        "$argon2id$v=19$m=64,t=2,p=4$c29tZXNhbHQAAQIDBAUGBw$M7yyvK6d4W75MjDOgJqEQ8Hr1frL3A4zzUi+c6jjWGQ",
        // argon2-cffi
        "$argon2i$v=19$m=64,t=2,p=1$c29tZXNhbHQAAQIDBAUGBw$zAtrLgq7hbJc+iTyha9QbZwiD45sb5NkkubA9KjaGng",
        // argon2-cffi
        "$argon2i$v=19$m=128,t=2,p=8$c29tZXNhbHQAAQIDBAUGBw$iQ9LF9eO9OYAVFAc0NPYoP87aSo7TEr8zhZb1kG4BZQ",
        // argon2-cffi
        "$argon2id$v=19$m=32,t=2,p=3$c29tZXNhbHQAAQIDBAUGBw$tL3uiurBdtDSYeFsuKtnoygEZvsX9tsqyZ7Qwjc7FzV7r56fExj0pCHNeUzIyag8VrU2ZfauK+2Ifs1FP+MB3Q",
        // argon2-cffi, salt of 12
        "$argon2id$v=19$m=64,t=1,p=1$c29tZXNhbHRzYWx0$3K2+Y7lgwuVCwvbKwnlr6A",
    ]

    @Test(arguments: hashes)
    func `a hash of another system matches its password only`(hash: String) throws {
        let imported = try PasswordHash(hash)
        let password = "correct horse battery"
        #expect(try imported.matches(password))
        for other in ["correct horse batterz", password + " ", password + "\0", "", password.repeated(1000)] {
            #expect(try !imported.matches(other))
        }
    }

    @Test func `the test vectors of the standards match`() throws {
        // RFC 6070: 4096 iterations. The salt is "salt".
        #expect(try PasswordHash("$pbkdf2$4096$c2FsdA$SwB5AbdlSJq+rUnZJvch0GWkKcE").matches("password"))
        #expect(try PasswordHash("$pbkdf2-sha1$i=4096$c2FsdA$SwB5AbdlSJq+rUnZJvch0GWkKcE").matches("password"))
    }

    @Test func `passwords are compared in NFC, and those with other letters differ`() throws {
        let hash = try PasswordHash("$2b$04$KRPEoJvMD9dbKC3vN.xom.j19jLowTEvC9WZFNfxhNTDeaa7zxZfS")
        #expect(try hash.matches("caf\u{E9} au lait"))
        #expect(try hash.matches("cafe\u{301} au lait"))
        #expect(try !hash.matches("cafe au lait"))
    }

    @Test func `bcrypt uses the first 72 bytes`() throws {
        let hash = try PasswordHash("$2b$04$.5orfHSSAW3yLCNWDbAhCO0C6O3jkWT.YLTOVUT3Az8/z7NbZKWMe")
        #expect(try hash.matches("0123456789".repeated(8)))
        #expect(try hash.matches("0123456789".repeated(80)))
        #expect(try !hash.matches("0123456789".repeated(7)))
    }

    /// The end of hashes of Argon2 and PBKDF2: a salt and a digest.
    static let end = "c29tZXNhbHQ$c29tZWhhc2hzb21laGFzaA"
    /// The salt and the digest of a hash of bcrypt.
    static let bcrypt = "abcdefghijklmnopqrstuuNlS1E.ywAFwyDBYkgUM4X4SVBvQMRlq"

    static let malformed = [
        "", "$", "$$", "$$$", "$$$$", "x", "!", "*", "$1$salt$qJH7.N4xYta3aEG/dfqo/0", "$2x$05$", "$2a$", "$2a$05$",
        "$2b$5$\(bcrypt)", "$2b$+5$\(bcrypt)", "$2b$05$\(bcrypt.dropLast())", "$2b$05$\(bcrypt)q", "$2b$05$\(bcrypt)$",
        "$2b$05$\(bcrypt.replacing(".", with: ","))",
        "$7$C6..../....SodiumChloride$kBGj9fHznVYFQMEn/qDCfrDevf9YDtcDdKvEqHJLV8D",
        "$argon2d$v=19$m=64,t=1,p=1$\(end)", "$argon2id$m=64,t=1,p=1$\(end)", "$argon2id$v=16$m=64,t=1,p=1$\(end)",
        "$scrypt$ln=4,r=8,p=1$\(end)",
        "$pbkdf2-md5$1000$\(end)", "$pbkdf2-sha256$x$\(end)", "$pbkdf2-sha256$-1$\(end)",
        "$pbkdf2-sha256$1000$\(end)==",
        "pbkdf2_sha256$1000$salt", "pbkdf2_sha256$1000$salt$", "pbkdf2_sha256$1000$salt$c29tZWhhc2hzb21laGFzaA===",
        "pbkdf2_md5$1000$salt$c29tZWhhc2hzb21laGFzaA==", "pbkdf2_sha256$$salt$c29tZWhhc2hzb21laGFzaA==",
    ]
    static let malformedParameters = [
        "m=8,t=1,p=2", "m=064,t=1,p=1", "t=1,m=64,p=1", "m=64,t=1", "m=64,t=1,p=1,data=AAAA", "m=,t=1,p=1",
        "m=+64,t=1,p=1",
        "m=-64,t=1,p=1", "m=99999999999999999999,t=1,p=1", "m=64,t=0,p=1",
    ].map { "$argon2id$v=19$\($0)$\(end)" }
    /// Shortened, lengthened, in another alphabet, and with bits after the last byte that are not zero.
    static let malformedEnds = [
        "c29tZXNhbHQ", "$c29tZWhhc2hzb21laGFzaA", "c29tZXNhbHQ$", "\(end)$", "\(end)=", "\(end)\0", "\(end) ",
        "\(end)\n",
        "c2FsdA$c29tZWhhc2hzb21laGFzaA", "c29tZXNhbHQ$c29tZWhhc2g", "c29tZXNhbHR$c29tZWhhc2hzb21laGFzaA",
        "c29tZXNhbHQ$_29tZWhhc2hzb21laGFzaA", "\(end.dropLast())", "\(end.dropLast())B",
        "c29tZXNhbHQ$" + "A".repeated(500),
    ].map { "$argon2id$v=19$m=64,t=1,p=1$\($0)" }

    @Test(arguments: malformed + malformedParameters + malformedEnds + [" $argon2id$v=19$m=64,t=1,p=1$\(end)"])
    func `a text that is no supported hash is rejected`(text: String) {
        #expect(throws: SettingError.malformed) { try PasswordHash(text) }
    }

    @Test func `a long text is rejected`() {
        let long = "A".repeated(100_000)
        for text in [
            long, "$" + long, "$2b$05$" + long, "$argon2id$v=19$m=64,t=1,p=1$\(long)$\(long)",
            "pbkdf2_sha256$1000$\(long)$c29tZWhhc2hzb21laGFzaA==", "$".repeated(100_000),
            "$argon2id$v=19$m=" + "1".repeated(100_000) + ",t=1,p=1$\(Self.end)",
        ] { #expect(throws: SettingError.malformed) { try PasswordHash(text) } }
    }

    /// Of 64 bytes.
    static let longDigest = "A".repeated(86)
    /// The most expensive hash of each kind.
    static let mostExpensive = [
        "$2b$14$\(bcrypt)",
        "$argon2id$v=19$m=262144,t=4,p=255$c29tZXNhbHQ$\(longDigest)",
        "$argon2i$v=19$m=65536,t=16,p=1$c29tZXNhbHQ$\(longDigest)",
        "$pbkdf2-sha1$500000$c29tZXNhbHQ$\(longDigest)", "$pbkdf2-sha256$1000000$c29tZXNhbHQ$\(longDigest)",
        "$pbkdf2-sha512$2000000$c29tZXNhbHQ$\(longDigest)",
    ]

    @Test(.serialized, arguments: mostExpensive)
    func `the most expensive hashes are accepted`(hash: String) throws {
        let imported = try PasswordHash(hash)
        // For the table in docs/accounts.md.
        guard ProcessInfo.processInfo.environment["UNDERSTUDY_HASH_COSTS"] != nil else { return }
        let start = clock()
        #expect(try !imported.matches("correct horse battery"))
        print("\(hash.prefix(32)): \(Double(clock() - start) / 1_000_000) s")
    }

    @Test(arguments: [
        ("$2b$03$\(bcrypt)", "cost of a bcrypt hash", 4...14, 3),
        ("$2y$15$\(bcrypt)", "cost of a bcrypt hash", 4...14, 15),
        ("$2a$99$\(bcrypt)", "cost of a bcrypt hash", 4...14, 99),
        ("$argon2i$v=19$m=1048576,t=1,p=4$\(end)", "memory of a password hash in KiB", 8...262_144, 1_048_576),
        ("$argon2id$v=19$m=64,t=17,p=4$\(end)", "number of iterations of a password hash", 1...16, 17),
        ("$argon2id$v=19$m=65536,t=1,p=256$\(end)", "parallelism of an Argon2 hash", 1...255, 256),
        (
            "$argon2id$v=19$m=262144,t=5,p=1$\(end)", "memory of all iterations of a password hash in KiB",
            8...1_048_576,
            1_310_720
        ),
        (
            "$pbkdf2-sha1$500001$c29tZXNhbHQ$\(longDigest)", "number of iterations of all blocks of a PBKDF2 hash",
            1...2_000_000,
            2_000_004
        ),
        ("$pbkdf2-sha512$2000001$\(end)", "number of iterations of a PBKDF2 hash", 1...2_000_000, 2_000_001),
        (
            "pbkdf2_sha256$4294967297$salt$c29tZWhhc2hzb21laGFzaA==", "number of iterations of a PBKDF2 hash",
            1...2_000_000,
            4_294_967_297
        ),
    ])
    func `a hash that costs too much is rejected with the reason`(
        text: String,
        name: String,
        allowed: ClosedRange<Int>,
        value: Int
    ) {
        let error = #expect(throws: SettingError.self) { try PasswordHash(text) }
        let (lowest, highest) = (allowed.lowerBound, allowed.upperBound)
        #expect(error?.description == "the \(name) must be from \(lowest) to \(highest), not \(value)")
    }

    @Test(arguments: hashes)
    func `a damaged hash matches nothing and stops nothing`(hash: String) throws {
        // Without the padding of Base64, a hash says the same.
        for index in hash.indices where hash[index] != "=" {
            for replacement in ["", "$", "0", "9", "z", "\0", "\u{E9}"] {
                let damaged = String(hash[..<index] + replacement + hash[hash.index(after: index)...])
                guard damaged != hash, let imported = try? PasswordHash(damaged) else { continue }
                #expect(try !imported.matches("correct horse battery"), "\(damaged)")
            }
        }
    }
}
