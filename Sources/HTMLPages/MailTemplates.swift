public import BusinessLogic
public import Understudy

/// Renders the mails to users from messages, the texts of a catalog and the template `mail`.
///
/// The paragraphs of a text are separated by empty lines. In a message without parameters, `{code}` is the code, and `{title}` the name of the
/// application. A link to a page fills the code in, and runs nothing.
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
    private let translations: Translations
    private let templates: PageContent

    /// Loads the texts and the templates.
    ///
    /// - Parameters:
    ///   - title: the name of the application.
    ///   - templates: further templates by name, which `mail` can include, or replacements for bundled ones such as `mail` itself.
    ///   - folder: a folder with further templates `NAME.mustache`, which take precedence; `nil` without one. It is read once.
    ///   - labels: texts that replace bundled ones with the same key.
    /// - Throws: ``HTMLTemplateError`` if a template is invalid; ``HTMLFileError`` if the folder or a file in it cannot be used.
    public init(
        title: String,
        templates: [String: String] = [:],
        folder: String? = nil,
        labels: Translations = Translations()
    ) throws {
        self.title = title
        self.labels = try Labels(adding: labels)
        translations = try HTMLPages.texts(adding: labels)
        var content = try PageContent(below: "")
        try content.add(templates: ["mail": PackageResources.template("mail")])
        try content.add(templates: templates)
        try content.read(PageFolders(templates: folder), canContainFiles: false)
        self.templates = content
        // A template that includes itself without end is an error now, not with the first mail.
        _ = try html("Subject", ["Text"], code: "12345678", link: "https://localhost/", self.labels[language: "en"])
    }

    /// A mail.
    ///
    /// - Parameters:
    ///   - subject: the subject.
    ///   - text: the text.
    ///   - code: the code in it, if it has one.
    ///   - link: the address of the page that it links to, if it is known.
    ///   - language: the language (BCP 47); English if it is `nil`, or has no texts.
    public func content(subject: Message, text: Message, code: String?, link: String?, language: String?) -> Content {
        let texts = labels[language: language ?? "en"]
        func written(_ message: Message) -> String {
            let templates = [texts.tag, "en"].lazy.compactMap { translations.template(of: message.code, in: $0) }
            let text = templates.compactMap { $0.text(message.parameters, texts.format) }.first ?? message.text
            guard message.parameters.isEmpty else { return text }
            return text.replacingBytes("{code}", with: code ?? "").replacingBytes("{title}", with: title)
        }
        let subject = written(subject)
        let paragraphs = written(text).utf8.split(separator: "\n\n".utf8).map { String(Substring($0)) }
        let lines = paragraphs + (link.map { [$0] } ?? []) + ["-- \n\(title)"]
        let html = try? html(subject, paragraphs, code: code, link: link, texts)
        return Content(subject: subject, text: lines.joined(separator: "\n\n") + "\n", html: html ?? "")
    }

    private func html(
        _ subject: String,
        _ paragraphs: [String],
        code: String?,
        link: String?,
        _ texts: Labels.Language
    ) throws(HTMLTemplateError) -> String {
        let context: [String: TemplateValue] = [
            "language": .text(texts.tag), "subject": .text(subject), "brand": .text(title), "code": .text(code),
            "paragraphs": .texts(paragraphs), "link": .text(link), "button": .text(texts["mail.open"]),
        ]
        return String(decoding: try templates.render("mail", context), as: UTF8.self)
    }
}
