import HTMLPages
import Understudy

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
        let labels = HTMLPages.labels(of: pages, templates: templates)
        var missing: [String: [String]] = [:]
        let all = try HTMLPages.texts(adding: catalog)
        for language in Set(catalog.languages + ["en"]).sorted() {
            for label in labels where label.key(in: language, of: all) == nil {
                missing[label.keys[0], default: []].append(language)
            }
        }
        return labels.compactMap { label in
            missing[label.keys[0]].map { MissingLabel(key: label.keys[0], languages: $0) }
        }
    }
}
