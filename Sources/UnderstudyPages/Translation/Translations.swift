public import BusinessLogic

/// The texts of messages in other languages, from String Catalogs (`.xcstrings`).
///
/// ```swift
/// configuration.translations = try Translations.bundled.merging(Translations(catalog: Array(catalog)))
/// ```
///
/// The keys of a catalog are the codes of messages. The controllers do not use translations: the service writes each message's text in
/// the language that the client requests. The article <doc:TranslateMessages> describes what a catalog may contain.
public struct Translations: Equatable, Sendable {
    private(set) var templates: [String: [String: MessageTemplate]]

    /// No translations.
    public init() { templates = [:] }

    init(_ templates: [String: [String: MessageTemplate]]) { self.templates = templates }

    package var isEmpty: Bool { templates.isEmpty }

    /// The languages (BCP 47), such as `de` or `de-AT`, in alphabetical order.
    package var languages: [String] { templates.keys.sorted() }

    /// These translations and others. If both translate a message to the same language, the result contains the other translation.
    public func merging(_ others: Translations) -> Translations {
        Translations(templates.merging(others.templates) { $0.merging($1) { $1 } })
    }

    /// The text of a message in a language, or in the language without its last parts: `de` for `de-AT`.
    ///
    /// Returns `nil` if the message has no translation, or lacks a parameter that the translation contains.
    public func text(of message: Message, in language: String) -> String? {
        for language in LanguageTag.truncations(of: language) {
            guard let template = templates[language]?[message.code] else { continue }
            if let text = template.text(message.parameters, ValueFormat(allTemplates(of: language))) { return text }
        }
        return nil
    }

    /// A message that it does not translate has the template of the language without its last parts.
    package func allTemplates(of language: String) -> [String: MessageTemplate] {
        LanguageTag.truncations(of: language).reversed().reduce([:]) { templates, language in
            templates.merging(self.templates[language] ?? [:]) { $1 }
        }
    }

    /// The template of a message in a language, or in the language without its last parts.
    package func template(of code: String, in language: String) -> MessageTemplate? {
        LanguageTag.truncations(of: language).lazy.compactMap { templates[$0]?[code] }.first
    }

    /// The codes of the messages that have a template in exactly that language, in alphabetical order.
    package func codes(in language: String) -> [String] { templates[language].map { $0.keys.sorted() } ?? [] }
}
