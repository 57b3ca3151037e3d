internal import BusinessLogic
internal import FoundationEssentials
internal import Mustache
public import Understudy

/// Renders the mails to users from the texts of a catalog and the template `mail`.
///
/// The text with the key `mail.NAME.subject` is the subject, and that with the key `mail.NAME.text` the text, in which `{code}` is the code. Its
/// paragraphs are separated by empty lines. A link to a page fills the code in, and runs nothing.
public struct MailTemplates: Sendable {
    /// A mail without its addresses.
    public struct Content: Equatable, Sendable {
        /// The subject.
        public let subject: String
        /// The text.
        public let text: String
        /// The same as HTML.
        public let html: String
    }

    private let title: String
    private let labels: Labels
    private let template: MustacheTemplate

    /// Loads the texts and the template.
    ///
    /// - Parameters:
    ///   - title: the name of the application.
    ///   - template: a template that replaces the bundled one; `nil` for the bundled one.
    ///   - labels: texts that replace bundled ones with the same key.
    /// - Throws: ``HTMLTemplateError`` if the template is invalid.
    public init(title: String, template: String? = nil, labels: Translations = Translations()) throws {
        self.title = title
        self.labels = try Labels(adding: labels)
        let text = template ?? String(decoding: PackageResources.mail_mustache, as: UTF8.self)
        do {
            self.template = try MustacheTemplate(string: text)
        } catch {
            throw HTMLTemplateError(template: "mail", path: nil, reason: "\(error)")
        }
    }

    /// The mail with that name.
    ///
    /// - Parameters:
    ///   - name: its name in the catalog, such as `resetCode`.
    ///   - code: the code in it, if it has one.
    ///   - link: the address of the page on which the code is entered, if it is known.
    ///   - language: the language (BCP 47); English if it is `nil`, or has no texts.
    public func content(of name: String, code: String?, link: String?, language: String?) -> Content {
        let texts = labels[language: language ?? "en"]
        func text(_ part: String) -> String {
            let text = texts["mail.\(name).\(part)"] ?? ""
            return text.replacing("{code}", with: code ?? "").replacing("{title}", with: title)
        }
        let paragraphs = text("text").split(separator: "\n\n").map { String($0) }
        let context: [String: Any?] = [
            "language": texts.tag, "subject": text("subject"), "brand": title, "code": code, "paragraphs": paragraphs,
            "link": link, "button": texts["mail.open"] ?? "",
        ]
        let lines = paragraphs + (link.map { [$0] } ?? []) + ["-- \n\(title)"]
        return Content(
            subject: text("subject"),
            text: lines.joined(separator: "\n\n") + "\n",
            html: template.render(context.compactMapValues { $0 })
        )
    }
}
