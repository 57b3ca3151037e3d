import HTMLPages
import Logging
import Understudy

/// The contents of the files that operators may replace: translations, templates and static files.
struct ContentFiles {
    let translations: Translations
    /// The pages for browsers; `nil` if browsers get JSON.
    let htmlPages: HTMLPages?
    /// Writes the mails to users; `nil` if none are sent.
    let mails: TemplatedMails?

    /// Reads the files.
    ///
    /// - Throws: ``CommandError``, `HTMLTemplateError` or `HTMLFileError` if a file cannot be used; what creating the pages throws.
    init(_ settings: ServeSettings) throws {
        translations = try settings.allTranslations()
        htmlPages = try settings.htmlPages(translations)
        mails = try settings.mailWriter(translations)
    }

    /// What is probably a mistake: the files that are not served, and the texts of pages that are missing.
    ///
    /// - Throws: `TranslationError` if the texts of the pages cannot be read.
    func warnings(about pages: [Page]) throws -> [Warning] {
        guard let htmlPages else { return [] }
        let ignored = htmlPages.ignoredFiles.map { path in
            Warning(text: "A file is not served: its type or its name is not supported", details: ["path": path])
        }
        let missing = try MissingLabel.all(pages, templates: htmlPages.ownTemplates, translations).map { label in
            Warning(
                text: "A label of a page has no text in the catalog",
                details: ["key": label.key, "languages": label.languages.joined(separator: ",")]
            )
        }
        return ignored + missing
    }

    /// A line of the log about the files.
    struct Warning: Hashable {
        let text: String
        let details: [String: String]

        func log(_ logger: Logger) {
            logger.warning("\(text)", metadata: details.mapValues { "\($0)" })
        }
    }
}
