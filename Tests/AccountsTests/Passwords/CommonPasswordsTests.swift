@testable import Accounts

struct CommonPasswordsTests {
    @Test func `the list is sorted, in lower case and contains only passwords of an allowed length, which are found`() {
        let passwords = CommonPasswords.list.text.split(separator: "\n", omittingEmptySubsequences: false)
        #expect(passwords.count == 3396)
        #expect(passwords.last == "")
        let words = passwords.dropLast()
        #expect(words.allSatisfy { $0.count >= ServicePasswordPolicy.minimumRange.lowerBound && $0 == $0.lowercased() })
        #expect(zip(words, words.dropFirst()).allSatisfy { $0.utf8.lexicographicallyPrecedes($1.utf8) })
        #expect(words.allSatisfy { CommonPasswords.contains(String($0)) })
    }

    @Test(arguments: [
        "", "\n", "!", "\u{0}", "!qaz2ws", "!qaz2wsxx", "zz8807zpl ", "zz8807zplz", "\u{10FFFF}", "Password",
        "passwor\n",
        "password\n", "\npassword", "zxcvbnmz\nzz8807zpl", "correct horse battery staple",
    ])
    func `other texts are not found`(password: String) { #expect(!CommonPasswords.contains(password)) }
}
