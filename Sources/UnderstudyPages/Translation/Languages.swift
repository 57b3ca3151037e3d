package import BusinessLogic
package import HTTPMessages

/// The languages in which a service responds. Prepared once, so that a response costs no more than the lookup of its texts.
package final class Languages: Sendable {
    /// English, then the others in alphabetical order.
    package let all: [Language]
    private let tags: [[UInt8]]

    /// A language is only used if it translates one of the codes, which are those of the messages that the service may send.
    package init?(_ translations: Translations, of codes: Set<String>, links: PageLinks) {
        let used = translations.languages.filter { language in
            translations.codes(in: language).contains(where: codes.contains)
        }
        guard !used.isEmpty else { return nil }
        let others = used.filter { $0 != LanguageTag.english }
        all = ([LanguageTag.english] + others).map { Language($0, translations, links: links) }
        tags = all.map { Array($0.tag.lowercased().utf8) }
    }

    /// English if the request accepts none of the languages.
    package subscript(headers: Headers) -> Language { all[headers.preferredLanguage(of: tags) ?? 0] }
}

package final class Language: Sendable {
    /// BCP 47.
    package let tag: String
    package let context: ResponseContext
    package let headers: CommonHeaders

    fileprivate init(_ tag: String, _ translations: Translations, links: PageLinks) {
        self.tag = tag
        let templates = translations.allTemplates(of: tag)
        let format = ValueFormat(templates)
        context =
            templates.isEmpty
            ? ResponseContext(links: links)
            : ResponseContext(links: links) { templates[$0.code]?.text($0.parameters, format) }
        headers = CommonHeaders(CommonHeaders.service.fields + [(.vary, "Accept-Language"), ("Content-Language", tag)])
    }
}
