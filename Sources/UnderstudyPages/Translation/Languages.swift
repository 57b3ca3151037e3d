package import BusinessLogic
package import HTTPMessages

/// The languages in which a service responds. Prepared once, so that a response costs no more than the lookup of its texts.
package final class Languages: Sendable {
    /// English, then the others in alphabetical order.
    package let all: [Language]
    /// The tags in lower case.
    private let tags: [[UInt8]]

    /// - Parameters:
    ///   - translations: the texts. A language is only used if it translates one of the `codes`.
    ///   - codes: the codes of the messages that the service may send.
    ///   - links: the addresses of the pages that commands go to.
    package init?(_ translations: Translations, of codes: Set<String>, links: PageLinks) {
        let used = translations.languages.filter { language in
            translations.codes(in: language).contains(where: codes.contains)
        }
        guard !used.isEmpty else { return nil }
        let others = used.filter { $0 != LanguageTag.english }
        all = ([LanguageTag.english] + others).map { Language($0, translations, links: links) }
        tags = all.map { Array($0.tag.lowercased().utf8) }
    }

    /// The language for a request, by lookup (RFC 4647, section 3.4). English if it accepts none of the languages.
    package subscript(headers: Headers) -> Language { all[headers.preferredLanguage(of: tags) ?? 0] }
}

/// A language in which a service responds.
package final class Language: Sendable {
    /// The language's tag (BCP 47).
    package let tag: String
    /// What responses in this language depend on.
    package let context: ResponseContext
    /// The common header fields of responses with texts in this language.
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
