import BusinessLogic
import HTTPMessages
import Understudy

/// The texts of templates, in several languages.
struct Labels: Sendable {
    /// A language with all texts: those that it lacks are in English.
    struct Language: Sendable {
        let tag: String
        let texts: [String: String]
    }

    /// English, then the others in alphabetical order.
    private let languages: [Language]
    private let tags: [[UInt8]]

    /// - Parameter further: texts by key, by language.
    init(adding further: [String: [String: String]]) throws {
        var texts = try Self.catalog()
        for (language, added) in further {
            texts[language, default: [:]].merge(added) { _, replacement in replacement }
        }
        let english = texts.removeValue(forKey: "en") ?? [:]
        languages =
            [Language(tag: "en", texts: english)]
            + texts.sorted { $0.key < $1.key }
            .map { Language(tag: $0.key, texts: english.merging($0.value) { _, translated in translated }) }
        tags = languages.map { Array($0.tag.lowercased().utf8) }
    }

    /// The texts of the bundled catalog by key, by language.
    private static func catalog() throws -> [String: [String: String]] {
        let catalog = try Translations(catalog: PackageResources.Localizable_xcstrings)
        var texts: [String: [String: String]] = [:]
        for language in catalog.languages {
            for key in catalog.codes(in: language) {
                texts[language, default: [:]][key] = catalog.text(of: Message(code: key, text: ""), in: language)
            }
        }
        return texts
    }

    /// The language for a request; English if it accepts none of the languages.
    subscript(headers: Headers) -> Language { languages[headers.preferredLanguage(of: tags) ?? 0] }
}

extension Labels.Language {
    /// The texts for templates: the one with the key `login.title` is `text.login.title` there.
    var context: [String: Any] {
        var context: [String: [String: String]] = [:]
        for (key, text) in texts {
            let parts = key.split(separator: ".", maxSplits: 1)
            guard parts.count == 2 else { continue }
            context[String(parts[0]), default: [:]][String(parts[1])] = text
        }
        return ["text": context]
    }

    subscript(key: String) -> String? { texts[key] }
}
