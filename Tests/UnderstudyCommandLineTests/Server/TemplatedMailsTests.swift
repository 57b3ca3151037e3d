import HTMLPages

@testable import UnderstudyCommandLine

struct TemplatedMailsTests {
    static let contents: [MailContent] = [
        .resetCode("12345678"), .confirmationCode("12345678"), .addressIsTaken, .passwordChanged, .addressChanged,
        .accountDeleted, .factorAdded, .factorRemoved, .recoveryCodeUsed, .agentAdded,
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
        mails.templates.value = try MailTemplates(title: "Store")
        let mail = mails.mail(.resetCode("12345678"), to: "lisa@rules.example", language: "en", expires: nil)
        #expect(mail.text.contains("Store"))
        #expect(mail.text.contains("https://shop.example/reset?code=12345678"))
    }

    @Test func `a mail of a program has its own texts in the user's language, in the template, with a link`() throws {
        let texts = catalog(["mail.paid.text": ["de": unit("%1$@: bezahlt.\n\nDanke.")]])
        let templates = try MailTemplates(
            title: "Shop",
            templates: ["mail": "{{language}}|{{subject}}|{{#paragraphs}}{{.}}|{{/paragraphs}}{{link}}"],
            labels: Translations(catalog: texts)
        )
        let content = MailContent(
            subject: .notice(code: "mail.paid.subject", text: "Paid"),
            text: .notice(code: "mail.paid.text", text: "", parameters: ["title": "<{title}>"]),
            page: "orders"
        )
        let mails = TemplatedMails(templates, address: "https://shop.example")
        let mail = mails.mail(content, to: "lisa@rules.example", language: "de", expires: nil)
        #expect(mail.subject == "Paid")
        #expect(mail.text == "<{title}>: bezahlt.\n\nDanke.\n\nhttps://shop.example/orders\n\n-- \nShop\n")
        #expect(mail.html == "de|Paid|&lt;{title}&gt;: bezahlt.|Danke.|https://shop.example/orders")
    }
}
