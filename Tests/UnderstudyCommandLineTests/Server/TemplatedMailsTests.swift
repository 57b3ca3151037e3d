import Accounts
import HTMLPages
import Testing

@testable import UnderstudyCommandLine

@Suite struct TemplatedMailsTests {
    private static let contents: [MailContent] = [
        .resetCode("12345678"), .confirmationCode("12345678"), .addressIsTaken, .passwordChanged, .addressChanged,
        .accountDeleted,
    ]

    @Test(arguments: contents)
    func `a mail without a catalog says the same as the English one of the catalog`(_ content: MailContent) throws {
        let written = TemplatedMails(try MailTemplates(title: "Shop"), address: nil)
        let mail = written.mail(content, to: "lisa@rules.example", language: "en", expires: nil)
        let plain = PlainMails().mail(content, to: "lisa@rules.example", language: "en", expires: nil)
        #expect(!plain.subject.isEmpty)
        #expect(plain.subject == mail.subject)
        #expect(plain.text + "\n-- \nShop\n" == mail.text)
    }

    @Test func `mails are written with other templates, and the address stays`() throws {
        let mails = TemplatedMails(try MailTemplates(title: "Shop"), address: "https://shop.example")
        mails.useTemplates(of: TemplatedMails(try MailTemplates(title: "Store"), address: nil))
        let mail = mails.mail(.resetCode("12345678"), to: "lisa@rules.example", language: "en", expires: nil)
        #expect(mail.text.contains("Store"))
        #expect(mail.text.contains("https://shop.example/reset?code=12345678"))
    }
}
