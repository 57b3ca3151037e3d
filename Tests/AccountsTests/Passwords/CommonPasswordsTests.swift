import Testing

@testable import Accounts

@Suite struct CommonPasswordsTests {
    private let passwords = CommonPasswords.list.description.split(separator: "\n", omittingEmptySubsequences: false)

    @Test func `there are ten thousand, sorted, in lower case`() throws {
        #expect(CommonPasswords.count == 10_000)
        #expect(passwords.count == CommonPasswords.count + 1)
        #expect(passwords.last == "")
        let words = passwords.dropLast()
        #expect(words.allSatisfy { !$0.isEmpty && $0 == $0.lowercased() })
        #expect(zip(words, words.dropFirst()).allSatisfy { $0.utf8.lexicographicallyPrecedes($1.utf8) })
    }

    @Test func `each of them is found`() {
        #expect(passwords.dropLast().allSatisfy { CommonPasswords.contains(String($0)) })
    }

    @Test(arguments: ["!qaz2wsx", "zzzzzz1", "123456", "password", "qqqqqq1"])
    func `the first and the last are found, and the commonest and the rarest`(password: String) {
        #expect(CommonPasswords.contains(password))
    }

    @Test(arguments: [
        "", "\n", "!", "\u{0}", "!qaz2ws", "!qaz2wsxx", "zzzzzz1 ", "zzzzzz2", "\u{10FFFF}", "Password", "passwor\n",
        "password\n", "\npassword", "zzzzz1\nzzzzzz1", "correct horse battery staple",
    ])
    func `others are not found`(password: String) {
        #expect(!CommonPasswords.contains(password))
    }
}
