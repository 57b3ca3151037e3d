import BusinessLogic
import HTMLPages
import Understudy

/// Compares translations with the messages that the pages declare, and with the labels of their HTML.
struct TranslationCheck {
    struct Report: Equatable {
        let language: String
        let findings: [String]
    }

    let catalog: MessageCatalog
    let translations: Translations
    /// The program's own translations, which complete those to check.
    let builtIn: Translations

    func reports() throws -> [Report] {
        let prefixes = Set(catalog.messages.compactMap { Self.prefix(of: $0.code) })
        let labels = usesLabels ? catalog.labels : []
        let all = try HTMLPages.texts(adding: builtIn.merging(translations))
        return translations.languages.map { language in
            let missingLabels = labels.filter { $0.key(in: language, of: all) == nil }.map {
                "'\($0.keys[0])' lacks a translation of \(Value.string($0.fallback))"
            }
            return Report(
                language: language,
                findings: missing(in: language) + missingLabels + findings(in: language, prefixes)
            )
        }
    }

    /// Whether the translations contain a label. A program that serves no HTML needs none.
    private var usesLabels: Bool {
        let keys = Set(catalog.labels.flatMap(\.keys))
        return [translations, builtIn].contains { translations in
            translations.languages.contains { translations.codes(in: $0).contains(where: keys.contains) }
        }
    }

    /// The messages without a translation. English texts are in the messages themselves.
    private func missing(in language: String) -> [String] {
        if language == "en" || language.hasPrefix("en-") { return [] }
        return catalog.messages.filter { message in
            ![translations, builtIn].contains { $0.template(of: message.code, in: language) != nil }
        }.map { "'\($0.code)' lacks a translation of \(Value.string($0.text))" }
    }

    /// - Parameter prefixes: the prefixes of the declared messages' codes.
    private func findings(in language: String, _ prefixes: Set<Substring>) -> [String] {
        translations.codes(in: language).compactMap { code in
            guard let template = translations.template(of: code, in: language) else { return nil }
            guard let message = catalog[code] else {
                // Keys that begin with none of the prefixes are the app's own.
                let isSimilar = !HTMLPages.isLabel(code) && (Self.prefix(of: code).map(prefixes.contains) ?? false)
                return isSimilar ? "'\(code)' is unknown: no page declares this message" : nil
            }
            return Self.difference(between: template, message).map { "'\(code)' \($0)" }
        }
    }

    /// The part of a code up to its first dot; `nil` without a dot.
    private static func prefix(of code: String) -> Substring? { code.firstIndex(of: ".").map { code[...$0] } }

    private static func difference(between template: MessageTemplate, _ message: Message) -> String? {
        let parameters = message.parameters
        for placeholder in template.placeholders {
            guard placeholder.index < parameters.count else {
                return
                    "contains \(placeholder.text), but the message has \(String.count(parameters.count, "parameter"))"
            }
            guard placeholder.text(parameters, .neutral) != nil else {
                return "contains \(placeholder.text), but the parameter '\(parameters[placeholder.index].name)' is not "
                    + (placeholder.isInteger ? "an integer" : "a text, a number or a truth value")
            }
        }
        let used = Set(template.placeholders.map(\.index))
        let english = EnglishText(of: message)
        if let missing = english.template.placeholders.first(where: { !used.contains($0.index) }) {
            return
                "lacks \(missing.text), the parameter '\(parameters[missing.index].name)', which the English text contains"
        }
        return english.unknown.first { !used.contains($0) }.map {
            "lacks \(MessageTemplate.Placeholder($0, of: parameters[$0].value).text), the parameter '\(parameters[$0].name)'"
        }
    }
}

/// A label in the HTML of pages that lacks a text.
struct MissingLabel: Equatable {
    /// The most specific key of the text.
    let key: String
    /// The languages that lack it: English, or one of the catalog.
    let languages: [String]

    /// All labels that lack a text in English or in a language of the catalog.
    static func all(
        _ pages: [Page],
        templates: some Collection<String>,
        _ catalog: Translations
    ) throws -> [MissingLabel] {
        let all = try HTMLPages.texts(adding: catalog)
        let languages = Set(catalog.languages + ["en"]).sorted()
        return HTMLPages.labels(of: pages, templates: templates).compactMap { label in
            let missing = languages.filter { label.key(in: $0, of: all) == nil }
            return missing.isEmpty ? nil : MissingLabel(key: label.keys[0], languages: missing)
        }
    }
}
