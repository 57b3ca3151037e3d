import Accounts
import HTMLPages
import TestSupport

@testable import UnderstudyCommandLine

@Suite struct TemplatedMailsTests {
    private static let contents: [MailContent] = [
        .resetCode("12345678"), .confirmationCode("12345678"), .addressIsTaken, .passwordChanged, .addressChanged,
        .accountDeleted, .factorAdded, .factorRemoved, .recoveryCodeUsed,
    ]

    @Test(arguments: contents, ["en", "de"])
    func `the catalog has the texts of each mail in each language`(_ content: MailContent, language: String) throws {
        let written = TemplatedMails(try MailTemplates(title: "Shop"), address: nil)
        let mail = written.mail(content, to: "lisa@rules.example", language: language, expires: nil)
        #expect(!mail.subject.isEmpty)
        #expect(mail.subject.contains("12345678") == (content.code != nil))
        #expect(mail.text.hasSuffix("\n\n-- \nShop\n"))
        #expect(mail.text.contains("12345678") == (content.code != nil))
    }

    @Test func `mails are written with other templates, and the address stays`() throws {
        let mails = TemplatedMails(try MailTemplates(title: "Shop"), address: "https://shop.example")
        mails.useTemplates(of: TemplatedMails(try MailTemplates(title: "Store"), address: nil))
        let mail = mails.mail(.resetCode("12345678"), to: "lisa@rules.example", language: "en", expires: nil)
        #expect(mail.text.contains("Store"))
        #expect(mail.text.contains("https://shop.example/reset?code=12345678"))
    }
}
