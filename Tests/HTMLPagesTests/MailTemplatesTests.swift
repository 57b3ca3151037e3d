struct MailTemplatesTests {
    let folder = TemporaryFolder()

    func html(templates: [String: String] = [:]) throws -> String {
        let mails = try MailTemplates(title: "Shop", templates: templates, folder: folder.path)
        let link = "https://shop.example/reset?code=12345678"
        return mails.content(about: "resetCode", code: "12345678", link: link, language: "de").html
    }

    @Test func `the template in the folder replaces that of the program, and the bundled one`() throws {
        try folder.write("other.mustache", "")
        #expect(try html().hasPrefix("<!DOCTYPE html>\n<html lang=\"de\">"))
        #expect(try html(templates: ["mail": "program {{code}}"]) == "program 12345678")
        try folder.write("mail.mustache", "{{language}} {{brand}} {{code}} {{{link}}}")
        let expected = "de Shop 12345678 https://shop.example/reset?code=12345678"
        #expect(try html() == expected)
        #expect(try html(templates: ["mail": "program {{code}}"]) == expected)
    }

    @Test func `templates of pages may contain addresses of static files`() throws {
        try folder.write("mail.mustache", "{{code}}")
        try folder.write("login.mustache", "<img src=\"{{assets.logo.svg}}\">")
        #expect(try html() == "12345678")
    }

    @Test(arguments: [
        ("{{#code}}", "line 1, column "), ("<p>\n {{>mail}}", "line 2, column 5: the template includes itself"),
    ])
    func `an invalid template is reported with its file, line and column`(text: String, reason: String) throws {
        try folder.write("mail.mustache", text)
        #expect {
            _ = try html()
        } throws: { error in
            "\(error)".hasPrefix("the template '\(folder.path)/mail.mustache' is invalid: \(reason)")
        }
    }
}

extension MailTemplates {
    /// The mail about an account with that name.
    func content(about name: String, code: String?, link: String?, language: String?) -> Content {
        func text(_ part: String) -> Message { .notice(code: "mail.\(name).\(part)", text: "") }
        return content(subject: text("subject"), text: text("text"), code: code, link: link, language: language)
    }
}
