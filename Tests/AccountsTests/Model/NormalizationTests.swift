import BundledControllers
import BusinessLogic
import Foundation
import Testing

@testable import Accounts

@Suite struct NormalizationTests {
    /// Marks in the order that takes longest to sort.
    private func marks(_ count: Int) -> String {
        let classes = (0x300...0x36F).compactMap { Unicode.Scalar($0) }
            .filter { $0.properties.canonicalCombiningClass != .notReordered }
            .sorted { $0.properties.canonicalCombiningClass > $1.properties.canonicalCombiningClass }
        return String(String.UnicodeScalarView((0..<count).map { classes[$0 * classes.count / count] }))
    }

    @Test(arguments: [
        "", "Batman", "cafe\u{301}", "\u{212B}", "\u{1112}\u{1161}\u{11AB}", "q\u{323}\u{307}", "\u{344}",
    ])
    func `a text is in NFC`(text: String) {
        let expected = text.precomposedStringWithCanonicalMapping.unicodeScalars
        #expect(text.normalized.unicodeScalars.elementsEqual(expected))
        #expect(text.normalized.normalized.unicodeScalars.elementsEqual(expected))
    }

    @Test func `up to 30 marks on one character are sorted as a whole`() {
        let text = "a" + marks(30) + "b" + marks(30)
        let expected = text.precomposedStringWithCanonicalMapping.unicodeScalars
        #expect(text.normalized.unicodeScalars.elementsEqual(expected))
    }

    @Test func `more than 30 marks are separated after each 30`() {
        let separators = ("a" + marks(95)).normalized.unicodeScalars.count { $0 == "\u{34F}" }
        #expect(separators == 3)
        // These consist of two marks each, and are none themselves.
        for scalar in ["\u{F73}", "\u{F75}", "\u{F81}"] {
            #expect(String(repeating: scalar, count: 31).normalized.unicodeScalars.contains("\u{34F}"))
        }
    }

    @Test func `a key of more than 1,024 code points is the text itself`() {
        let longest = String(repeating: "A", count: 1024)
        #expect(AccountKey(longest).text == longest.lowercased())
        #expect(AccountKey(longest + "A").text == longest + "A")
        #expect(AccountKey("a" + marks(5000)).text.unicodeScalars.count == 5001)
    }

    @Test func `a password of too many code points is never right, and is verified as any other`() throws {
        let argon2id = Argon2id(cost: try Argon2Cost(memory: 8, iterations: 1))
        for count in [4096, 4097] {
            let password = String(repeating: "a", count: count)
            #expect(try argon2id.verify(password, argon2id.hash(password)) == (count == 4096))
        }
        #expect(try !argon2id.verify(String(repeating: "a", count: 4097), argon2id.hash("")))
    }

    @Test func `a policy refuses a password of too many marks`() throws {
        let policy = ServicePasswordPolicy()
        for count in [129, 512, 513, 30_000] {
            let objection = policy.objection(to: marks(count), name: nil, email: nil, userID: nil)
            #expect(objection == .passwordTooLong(maximum: 128))
        }
        #expect(policy.objection(to: "correct horse battery", name: marks(256), email: nil, userID: nil) == nil)
    }
}
