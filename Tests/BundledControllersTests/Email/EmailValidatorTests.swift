struct EmailValidatorTests {
    static let label63 = "a".repeated(63)

    @Test(arguments: [
        ("any letters and digits", ["lisa@rules.com", "chris@gmail.com", "a@b.c", "LISA@RULES.COM", "0@1.2"]),
        ("labels that begin with a digit", ["lisa@1.rules.4com"]),
        ("hyphens in labels", ["lisa@ru-les.com", "lisa@ru--les.c-m", "lisa@xn--bcher-kva.example"]),
        ("several labels", ["lisa.luo+news@mail.rules.co.uk"]),
        ("these characters", ["abcdefghijklmnopqrstuvwxyz0123456789.!#$%&'*+/=?^_`{|}~-@rules.com"]),
        // As the HTML standard allows.
        ("dots and hyphens anywhere before the @", [".lisa@rules.com", "lisa.@rules.com", "li..sa@rules.com"]),
        ("a name that begins and ends with a hyphen", ["-lisa-@rules.com"]),
        ("a name of any length", ["\(label63)@rules.com", "\(label63)a@rules.com"]),
        ("labels of 63 bytes", ["lisa@\(label63).com", "lisa@rules.\(label63)"]),
    ])
    func `a valid email address may have`(part: String, emails: [String]) {
        #expect(emails.filter { !EmailValidator().isValid(email: $0) } == [], "\(part)")
    }

    @Test(arguments: [
        ("a host of one label", ["lisa@rules", "lisa@localhost"]),
        ("a part that is missing", ["", "lisa", "@", ".", "@rules.com", "lisa@", "lisa@.", "lisa@.com"]),
        ("an empty label", ["lisa@.rules.com", "lisa@rules.", "lisa@rules.com.", "lisa@rules..com"]),
        ("a label that begins with a hyphen", ["lisa@-rules.com", "lisa@rules.-com", "lisa@-", "lisa@-.-"]),
        ("a label that ends with a hyphen", ["lisa@rules-.com", "lisa@rules.com-"]),
        ("two @", ["lisa@@rules.com", "lisa@rules@rules.com", "lisa@rules.com@", "@lisa@rules.com"]),
        ("a space", [" lisa@rules.com", "lisa@rules.com ", "lisa @rules.com", "lisa@ rules.com", "li sa@rules.com"]),
        ("a control character", ["lisa@rules.com\n", "lisa\t@rules.com", "lisa\0@rules.com", "lisa@rules.com\0"]),
        ("the character U+007F", ["lisa\u{7F}@rules.com"]),
        ("a letter beyond ASCII in the name", ["lísa@rules.com", "li\u{301}sa@rules.com"]),
        ("one in the host", ["lisa@rüles.com", "lisa@rules.cöm", "lisa@rules。com", "lisa@rules.com\u{301}"]),
        ("a character that looks like an @", ["lisa＠rules.com"]),
        ("another character in the host", ["lisa@rules_.com", "lisa@ru+les.com", "lisa@[127.0.0.1]"]),
        ("a quotation", ["\"lisa\"@rules.com", "Lisa <lisa@rules.com>", "lisa\\@rules.com"]),
        ("a bracket", ["lisa(luo)@rules.com", "lisa[luo]@rules.com"]),
        ("a separator", ["lisa,luo@rules.com", "lisa:luo@rules.com", "lisa;luo@rules.com"]),
        ("a label of 64 bytes", ["lisa@\(label63)a.com", "lisa@rules.\(label63)a"]),
        ("thousands of labels", ["a@b.".repeated(100_000)]),
    ])
    func `an address is not valid if it has`(part: String, emails: [String]) {
        #expect(emails.filter { EmailValidator().isValid(email: $0) } == [], "\(part)")
        #expect(!EmailValidator().isValid(email: nil))
    }

    @Test func `an email address has at most 254 bytes`() {
        let domain = "@" + Array(repeating: Self.label63, count: 3).joined(separator: ".")
        let longest = "l".repeated(254 - domain.utf8.count) + domain
        #expect(longest.utf8.count == 254)
        #expect(EmailValidator().isValid(email: longest))
        #expect(!EmailValidator().isValid(email: "l" + longest))
    }
}
