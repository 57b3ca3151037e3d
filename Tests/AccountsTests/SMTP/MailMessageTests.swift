@testable import Accounts

struct MailMessageTests {
    static func message(_ mail: Mail, from sender: String = "no-reply@shop.example") throws -> String {
        let time = Timestamp.ms(1_700_000_000_000)
        return try MailMessage(mail, from: try MailAddress(sender), at: time).bytes.text
    }

    @Test func `a message has the fields of RFC 5322, and lines that end with CRLF`() throws {
        let expected = """
            From: "Understudy" <no-reply@shop.example>
            To: lisa@rules.example
            Subject: Your code
            Date: Tue, 14 Nov 2023 22:13:20 +0000
            Message-ID: <a-1@shop.example>
            Auto-Submitted: auto-generated
            MIME-Version: 1.0
            Content-Type: text/plain; charset=UTF-8
            Content-Transfer-Encoding: quoted-printable

            12345678

            """
        let message = try Self.message(.sample(id: "a-1"), from: "Understudy <no-reply@shop.example>")
        #expect(message == expected.replacing("\n", with: "\r\n"))
    }

    @Test(arguments: ["\r\nBcc: all@rules.example", "\n.", "\r", "\0", "\u{85}", "\u{2028}", "\t", "\u{1B}[31m"])
    func `a line break or another control character in the subject or the recipient is rejected`(_ text: String) {
        let subject = MailError.permanent("the subject contains a line break or another control character")
        #expect(throws: subject) { try Self.message(.sample(subject: "Your\(text)code")) }
        let recipient = MailError.permanent("the recipient is not an email address")
        #expect(throws: recipient) { try Self.message(.sample(to: "lisa@rules.example\(text)")) }
        #expect(throws: recipient) { try Self.message(.sample(to: "\(text)lisa@rules.example")) }
        #expect(throws: MailError.self) { try Self.message(.sample(id: "a\(text)")) }
        for sender in [
            "Under\(text)study <no-reply@shop.example>", "Understudy <no-reply\(text)@shop.example>",
            "no-reply@shop.example\(text)",
        ] { #expect(throws: SettingError.self) { try MailAddress(sender) } }
    }

    @Test(arguments: [
        "lisa", "lisa@rules.example>,<bart@rules.example", "lisa@rules.example,bart@rules.example", "a b@rules.example",
        "",
    ])
    func `a recipient that is not one address is rejected`(_ recipient: String) {
        #expect(throws: MailError.permanent("the recipient is not an email address")) {
            try Self.message(.sample(to: recipient))
        }
    }

    @Test(arguments: ["a>b", "a b", "a@b", "", "a".repeated(250)])
    func `an ID that cannot be in a Message-ID is rejected`(_ id: String) {
        #expect(throws: MailError.self) { try Self.message(.sample(id: id)) }
    }

    @Test(arguments: [
        ("no-reply@shop.example", nil, "no-reply@shop.example"),
        ("Understudy <no-reply@shop.example>", "Understudy", "no-reply@shop.example"),
        ("Käse, Brot & Co.  <a@shop.example>", "Käse, Brot & Co.", "a@shop.example"),
    ])
    func `a sender is an address, or a name and an address`(_ text: String, _ name: String?, _ address: String) throws {
        let sender = try MailAddress(text)
        #expect(sender.name == name)
        #expect(sender.address == address)
        #expect(try MailAddress(sender.description) == sender)
    }

    @Test(arguments: [
        "", "Understudy", "Understudy <>", "<no-reply@shop.example>", " <no-reply@shop.example>",
        "Understudy<no-reply@shop.example>",
        "\"Understudy\" <no-reply@shop.example>", "A <a@shop.example> <b@shop.example>",
        "Understudy <no-reply@shop.example> ",
        "A <a@shop.example>, B <b@shop.example>", "a@shop.example, b@shop.example", "Understudy <no-reply@localhost>",
    ])
    func `another sender is rejected`(_ text: String) { #expect(throws: SettingError.self) { try MailAddress(text) } }
}
