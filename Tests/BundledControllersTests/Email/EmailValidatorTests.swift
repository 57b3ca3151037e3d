import BundledControllers
import BusinessLogic
import Testing

@Suite struct EmailValidatorTests {
    private static let label63 = String(repeating: "a", count: 63)

    @Test(arguments: [
        "lisa@rules.com",
        "chris@gmail.com",
        "a@b.c",
        "LISA@RULES.COM",
        "lisa.luo+news@mail.rules.co.uk",
        "0@1.2",
        "lisa@1.rules.4com",
        "lisa@ru-les.com",
        "lisa@ru--les.c-m",
        "lisa@xn--bcher-kva.example",
        "abcdefghijklmnopqrstuvwxyz0123456789.!#$%&'*+/=?^_`{|}~-@rules.com",
        // The HTML standard allows dots and hyphens anywhere before the @.
        ".lisa@rules.com",
        "lisa.@rules.com",
        "li..sa@rules.com",
        "-lisa-@rules.com",
        "\(label63)@rules.com",
        "\(label63)a@rules.com",
        "lisa@\(label63).com",
        "lisa@rules.\(label63)",
    ])
    func `an email address is valid`(email: String) {
        #expect(EmailValidator().isValid(email: email))
    }

    @Test(arguments: [
        "lisa@rules",
        "lisa@localhost",
        "",
        "lisa",
        "@",
        ".",
        "@rules.com",
        "lisa@",
        "lisa@.",
        "lisa@.com",
        "lisa@.rules.com",
        "lisa@rules.",
        "lisa@rules.com.",
        "lisa@rules..com",
        "lisa@-rules.com",
        "lisa@rules-.com",
        "lisa@rules.-com",
        "lisa@rules.com-",
        "lisa@-",
        "lisa@-.-",
        "lisa@@rules.com",
        "lisa@rules@rules.com",
        "lisa@rules.com@",
        "@lisa@rules.com",
        " lisa@rules.com",
        "lisa@rules.com ",
        "lisa @rules.com",
        "lisa@ rules.com",
        "li sa@rules.com",
        "lisa@rules.com\n",
        "lisa\t@rules.com",
        "lisa\0@rules.com",
        "lisa@rules.com\0",
        "lisa\u{7F}@rules.com",
        "lísa@rules.com",
        "li\u{301}sa@rules.com",
        "lisa@rüles.com",
        "lisa@rules.cöm",
        "lisa@rules。com",
        "lisa＠rules.com",
        "lisa@rules.com\u{301}",
        "lisa@rules_.com",
        "lisa@ru+les.com",
        "lisa@[127.0.0.1]",
        "\"lisa\"@rules.com",
        "Lisa <lisa@rules.com>",
        "lisa(luo)@rules.com",
        "lisa,luo@rules.com",
        "lisa:luo@rules.com",
        "lisa;luo@rules.com",
        "lisa\\@rules.com",
        "lisa[luo]@rules.com",
        "lisa@\(label63)a.com",
        "lisa@rules.\(label63)a",
    ])
    func `an email address is not valid`(email: String) {
        #expect(!EmailValidator().isValid(email: email))
    }

    @Test func `nil is not a valid email address`() {
        #expect(!EmailValidator().isValid(email: nil))
    }

    @Test func `an email address has at most 254 bytes`() {
        let domain = "@" + Array(repeating: Self.label63, count: 3).joined(separator: ".")
        let longest = String(repeating: "l", count: 254 - domain.utf8.count) + domain
        #expect(longest.utf8.count == 254)
        #expect(EmailValidator().isValid(email: longest))
        #expect(!EmailValidator().isValid(email: "l" + longest))
    }

    @Test func `a very long text is not a valid email address`() {
        #expect(!EmailValidator().isValid(email: String(repeating: "a@b.", count: 100_000)))
    }
}
