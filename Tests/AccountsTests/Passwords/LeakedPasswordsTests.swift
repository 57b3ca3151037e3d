@testable import Accounts

struct LeakedPasswordsTests {
    /// The hash of `password`.
    static let hash = "5BAA61E4C9B93F3F0682250B6CF8331B7EE68FD8"

    let folder = TemporaryFolder()
    let path: String
    /// The failures that a list has reported.
    let failures = LockedValue<[String]>([])

    init() throws { path = try folder.file("leaked.txt") }

    func list(_ content: String) throws -> LeakedPasswords {
        try folder.write("leaked.txt", content)
        return try list()
    }

    func list(at other: String? = nil) throws -> LeakedPasswords {
        try LeakedPasswords(path: other ?? path) { [failures] error in failures.append(error.description)
        }
    }

    /// Evenly distributed hashes with that of `password`, sorted.
    func lines(_ count: Int, separator: String = "\n") -> String {
        var generator = SystemRandomNumberGenerator()
        let others = (0..<count).map { _ in
            (0..<5).map { _ in String(format: "%08X", UInt32.random(in: .min ... .max, using: &generator)) }.joined()
                + ":1"
        }
        return (others + ["\(Self.hash):9545824"]).sorted().joined(separator: separator)
    }

    @Test(arguments: [0, 1, 2, 90, 100, 1000, 20_000], ["\n", "\r\n"])
    func `a password is found among any number of others`(count: Int, separator: String) throws {
        let list = try list(lines(count, separator: separator) + separator)
        #expect(list.contains("password"))
        for other in 0..<200 { #expect(!list.contains("password\(other)")) }
        #expect(failures.value.isEmpty)
    }

    @Test(arguments: [1, 2, 91, 5000])
    func `every line is found, also the first and the last one without a line feed`(count: Int) throws {
        let passwords = (0..<count).map { "secret \($0)" }
        let list = try list(passwords.map { try sha1($0) }.sorted().joined(separator: "\n"))
        #expect(passwords.allSatisfy { list.contains($0) })
        #expect(failures.value.isEmpty)
    }

    @Test func `hashes in lower case without counts are found`() throws {
        #expect(try list(Self.hash.lowercased()).contains("password"))
    }

    @Test func `hashes that are not evenly distributed are found`() throws {
        let crowd = (0..<10_000).map { String(format: "5BAA61E4C9B93F3F%024X:1", $0) }
        let list = try list((crowd + ["\(Self.hash):2"]).joined(separator: "\n"))
        #expect(list.contains("password"))
        #expect(!list.contains("passwords"))
    }

    @Test func `the policy rejects a leaked password as it was typed`() throws {
        let policy = try ServicePasswordPolicy(minimum: 8, leaked: list("\(sha1("Wide Open Doors"))\n"))
        func objection(_ password: String) -> Message? {
            policy.objection(to: password, name: nil, email: nil, userID: nil)
        }
        #expect(objection("Wide Open Doors") == .passwordLeaked)
        #expect(objection("wide open doors") == nil)
        #expect(policy.messages.contains(.passwordLeaked))
    }

    // MARK: Damaged files

    static let malformed = "the line at byte 0 does not begin with the 40 hexadecimal digits of a SHA-1 hash"

    @Test(arguments: [
        "": "it is empty", "\n": malformed, "password\n": malformed, "\(hash)00:1\n": malformed,
        // NTLM.
        "8846F7EAEE8FB117AD06BDD830B7586C:7\n": malformed,
        "\(hash):1\n0000000000000000000000000000000000000000:2\n":
            "it is not sorted by hash: the hash at byte 43 is less than one before it",
    ])
    func `a file that is no such list is rejected`(content: String, reason: String) throws {
        let error = #expect(throws: SettingError.self) { try list(content) }
        #expect(error?.description == reason)
    }

    @Test func `a line without an end is rejected`() throws {
        #expect(throws: SettingError.self) { try list("\(Self.hash):" + "1".repeated(100_000) + "\n" + lines(9)) }
    }

    @Test func `a missing file, a folder and a named pipe are rejected`() throws {
        #expect(throws: SettingError("it cannot be opened: No such file or directory")) { try list() }
        #expect(throws: SettingError("it is not a file")) { try list(at: "/tmp") }
        #expect(mkfifo(path, 0o600) == 0)
        #expect(throws: SettingError("it is not a file")) { try list() }
    }

    @Test func `a deleted file is used to its end`() throws {
        let list = try list(lines(1000))
        try Files.remove(path)
        #expect(list.contains("password"))
    }

    @Test func `a file that is cut while it is used rejects no password, and is reported once`() throws {
        let content = lines(1000)
        let list = try list(content)
        #expect(truncate(path, 10) == 0)
        #expect(!list.contains("password"))
        #expect(!list.contains("password"))
        #expect(failures.value == ["it has become shorter"])
        try content.write(toFile: path, atomically: false, encoding: .utf8)
        #expect(list.contains("password"))
        #expect(truncate(path, 10) == 0)
        #expect(!list.contains("password"))
        #expect(failures.value.count == 2)
    }

    @Test func `a lookup in a file with random bytes ends and fails`() throws {
        let list = try list(lines(20_000))
        let handle = try #require(FileHandle(forWritingAtPath: path))
        try handle.write(contentsOf: Data((0..<900_000).map { _ in UInt8.random(in: .min ... .max) }))
        for other in 0..<200 { #expect(!list.contains("password\(other)")) }
        #expect(!failures.value.isEmpty)
    }

    @Test func `a lookup in a file whose lines have been shuffled ends`() throws {
        let content = lines(20_000)
        let list = try list(content)
        let shuffled = content.split(separator: "\n").shuffled().joined(separator: "\n")
        try shuffled.write(toFile: path, atomically: false, encoding: .utf8)
        for other in 0..<200 { #expect(!list.contains("password\(other)")) }
        #expect(failures.value == [])
    }

    func sha1(_ text: String) throws -> String {
        try LeakedPasswords.hash(text).map { String(format: "%02X", $0) }.joined()
    }
}
