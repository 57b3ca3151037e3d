import BusinessLogic

/// Reads a String Catalog, the JSON file in which Xcode stores translations.
extension Translations {
    /// The translations in a String Catalog.
    ///
    /// A catalog that an app uses as well contains other texts. A key is ignored if it cannot be the code of a message: a code
    /// contains a dot, and no space. A text that Xcode has marked as `new` is not a translation yet.
    ///
    /// - Parameters:
    ///   - catalog: the content of the file, in UTF-8.
    ///   - codes: the codes of the pages' messages. A text with another key is ignored if the service does not support it. By
    ///     default, the service must support all texts whose keys can be codes.
    /// - Throws: ``TranslationsError`` if the file is not a catalog, or contains what the service does not support.
    public init(catalog: [UInt8], codes: Set<String>? = nil) throws(TranslationsError) {
        let json: Value
        do throws(JSONError) {
            json = try JSONReader.read(catalog)
        } catch {
            throw .malformedJSON(error.reason, offset: error.offset)
        }
        guard let catalog = json.object, catalog["sourceLanguage"]?.string != nil else {
            throw .malformedCatalog("it lacks 'sourceLanguage'", key: nil)
        }
        guard let strings = catalog["strings"]?.object else {
            throw .malformedCatalog("it lacks 'strings', an object", key: nil)
        }
        var templates: [String: [String: MessageTemplate]] = [:]
        for (key, entry) in strings where Self.isCode(key) {
            do throws(TranslationsError) {
                for (language, template) in try Self.templates(of: entry, key: key) {
                    templates[language, default: [:]][key] = template
                }
            } catch {
                if codes?.contains(key) ?? true { throw error }
            }
        }
        self.init(templates)
    }

    private static func templates(of entry: Value, key: String) throws(TranslationsError) -> [String: MessageTemplate] {
        guard let entry = entry.object else { throw .malformedCatalog("a key must contain an object", key: key) }
        guard let localizations = entry["localizations"] else { return [:] }
        guard let localizations = localizations.object else {
            throw .malformedCatalog("'localizations' must be an object", key: key)
        }
        var templates: [String: MessageTemplate] = [:]
        for (name, localization) in localizations {
            guard let language = LanguageTag.canonical(name) else { throw .invalidLanguage(name, key: key) }
            let entry = CatalogEntry(key: key, language: language)
            if let template = try entry.template(localization) { templates[language] = template }
        }
        return templates
    }

    static func isCode(_ key: String) -> Bool {
        key.utf8.contains(UInt8(ascii: "."))
            && key.utf8.allSatisfy { $0.isASCIIAlphanumeric || "._-".utf8.contains($0) }
    }
}

private struct CatalogEntry {
    let key: String
    let language: String

    /// `nil` if the text is not translated yet.
    func template(_ localization: Value) throws(TranslationsError) -> MessageTemplate? {
        guard let localization = localization.object else { throw malformed("a localization must be an object") }
        if localization.contains("substitutions") { throw unsupported("substitutions") }
        guard let variations = localization["variations"] else {
            return try segments(localization).map { MessageTemplate(other: $0, language: language) }
        }
        guard let variations = variations.object else { throw malformed("'variations' must be an object") }
        if let other = variations.first(where: { $0.name != "plural" }) { throw unsupported(other.name) }
        guard let plural = variations["plural"]?.object else { throw malformed("'plural' must be an object") }
        if let form = plural.first(where: { $0.name != "one" && $0.name != "other" }) { throw unsupported(form.name) }
        guard let other = plural["other"]?.object else { throw malformed("'plural' must contain 'other', an object") }
        guard let text = try segments(other) else { return nil }
        guard let form = plural["one"] else { return MessageTemplate(other: text, language: language) }
        guard let one = form.object else { throw malformed("'one' must be an object") }
        return MessageTemplate(other: text, one: try segments(one), language: language)
    }

    /// `nil` if the text is not translated yet.
    private func segments(_ form: Value.Object) throws(TranslationsError) -> [MessageTemplate.Segment]? {
        guard let unit = form["stringUnit"]?.object, let text = unit["value"]?.string else {
            throw malformed("a text must be in 'stringUnit', with a 'value'")
        }
        if unit["state"]?.string == "new" || text.isEmpty { return nil }
        return try segments(text)
    }

    private func segments(_ text: String) throws(TranslationsError) -> [MessageTemplate.Segment] {
        // A suffix that combines with the placeholder before it is in the same `Character`.
        let placeholder = /(?:([0-9]{1,2})\$)?(?:@|(lld)|\.([0-4])f)/.matchingSemantics(.unicodeScalar)
        var segments: [MessageTemplate.Segment] = []
        var literal = ""
        var next = 0
        var rest = Substring(text)
        while let percent = rest.unicodeScalars.firstIndex(of: "%") {
            literal += rest[..<percent]
            rest = Substring(rest.unicodeScalars[percent...].dropFirst())
            if rest.unicodeScalars.first == "%" {
                literal += "%"
                rest = Substring(rest.unicodeScalars.dropFirst())
                continue
            }
            guard let match = rest.prefixMatch(of: placeholder), match.1 != "0", match.1 != "00" else {
                throw .unsupportedPlaceholder(Self.placeholder(at: rest), key: key, language: language)
            }
            rest = Substring(rest.unicodeScalars[match.range.upperBound...])
            if !literal.isEmpty { segments.append(.text(literal)) }
            literal = ""
            let number = match.1.flatMap { Int($0) }
            let (index, digits) = (number.map { $0 - 1 } ?? next, match.3.flatMap { Int($0) })
            segments.append(.placeholder(.init(index: index, isInteger: match.2 != nil, fractionDigits: digits)))
            if number == nil { next += 1 }
        }
        literal += rest
        if !literal.isEmpty { segments.append(.text(literal)) }
        return segments
    }

    /// The placeholder for an error: up to its letter, at most 12 characters.
    private static func placeholder(at text: Substring) -> String {
        var placeholder = "%".unicodeScalars
        for scalar in text.unicodeScalars.prefix(11) {
            if scalar.properties.isWhitespace { break }
            placeholder.append(scalar)
            if scalar == "@" || scalar.properties.isAlphabetic && !"hljztqL".unicodeScalars.contains(scalar) { break }
        }
        return String(placeholder)
    }

    private func malformed(_ reason: String) -> TranslationsError {
        .malformedCatalog("\(reason), in the language '\(language)'", key: key)
    }

    private func unsupported(_ variation: String) -> TranslationsError {
        .unsupportedVariation(variation, key: key, language: language)
    }
}
