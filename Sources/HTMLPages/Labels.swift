import BusinessLogic
import HTTPMessages
package import Understudy

/// The texts of templates, in several languages.
struct Labels: Sendable {
    /// Texts that the language lacks are in English.
    struct Language: Sendable {
        let tag: String
        let texts: [String: String]
        /// The text with the key `login.title` is `text.login.title` in templates.
        let names: TemplateValue
        let format: ValueFormat

        fileprivate init(_ tag: String, _ texts: [String: String], _ format: ValueFormat) {
            self.tag = tag
            self.format = format
            self.texts = texts
            var names = TemplateValue.names([:])
            for (key, text) in texts { names.add(text, key.split(separator: ".").map(String.init)) }
            self.names = names
        }

        subscript(key: String) -> String? { texts[key] }
    }

    /// English, then the others in alphabetical order.
    private var languages: [Language]
    private var tags: [[UInt8]]

    /// The texts replace those of the bundled catalog with the same key.
    init(adding further: Translations) throws {
        let all = try HTMLPages.texts(adding: further)
        func language(_ tag: String) -> Language {
            let (english, own) = (all.allTemplates(of: "en"), all.allTemplates(of: tag))
            let format = english.merging(Translations.service.allTemplates(of: tag)) { $1 }.merging(own) { $1 }
            let texts = english.merging(own) { $1 }.compactMapValues { $0.text([:], .neutral) }
            return Language(tag, texts, ValueFormat(format))
        }
        languages = [language("en")] + all.languages.filter { $0 != "en" }.map(language)
        tags = languages.map { Array($0.tag.lowercased().utf8) }
    }

    mutating func keepEnglish() {
        languages = [languages[0]]
        tags = [tags[0]]
    }

    /// English if the request accepts none of the languages.
    subscript(headers: Headers) -> Language { languages[headers.preferredLanguage(of: tags) ?? 0] }

    /// English if the language has no texts.
    subscript(language tag: String) -> Language {
        languages.first { $0.tag.lowercased() == tag.lowercased() } ?? languages[0]
    }
}

// MARK: Which texts pages need

extension HTMLPages {
    /// The labels that the HTML of pages shows: of a page without a template, all its names; otherwise, its title. The templates are the program's
    /// own.
    package static func labels(of pages: [Page], templates: some Collection<String>) -> [Label] {
        var labels: [Label] = []
        func add(_ label: Label) {
            if !labels.contains(label) { labels.append(label) }
        }
        func add(_ schema: FormSchema, _ path: [String]) {
            if !path.isEmpty { add(.field(path)) }
            let schema = schema.items ?? schema
            for choice in schema.choices ?? [] where choice.isPartOfKey { add(.choice(choice, of: path)) }
            for (name, member) in schema.members ?? [] { add(member, path + [name]) }
        }
        for page in pages {
            add(.page(page.name))
            if templates.contains(page.name) || PageContent.bundledTemplates.keys.contains(page.name) { continue }
            for event in page.events where !Screen.isLoading(event.event.name, readsFields: !event.reads.isEmpty) {
                add(.event(event.event.name))
            }
            for field in page.fields { add(FormSchema(json: .object(field.schema.jsonSchema(.input))), [field.name]) }
            for output in page.outputs {
                let schema = FormSchema(json: .object(output.schema.jsonSchema(.output)))
                if schema.isShown { add(schema, [output.key]) }
            }
        }
        return labels
    }

    package static func isLabel(_ key: String) -> Bool {
        ["page.", "label.", "event.", "choice."].contains { key.hasPrefix($0) }
    }

    /// Read once, because that is a quarter of the time that a server takes to start, and is needed thrice.
    private static let bundledTexts = Result {
        try Translations(catalog: PackageResources.file("Localizable.xcstrings"))
    }

    package static func texts(adding catalog: Translations) throws -> Translations {
        try bundledTexts.get().merging(catalog)
    }
}

extension Label {
    /// `nil` if no key has a text in the language.
    package func key(in language: String, of catalog: Translations) -> String? {
        keys.first { catalog.template(of: $0, in: language) != nil }
    }
}

extension String {
    fileprivate var isPartOfKey: Bool {
        !isEmpty && allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "._-".contains($0)) }
    }
}
