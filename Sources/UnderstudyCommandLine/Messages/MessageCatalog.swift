import BusinessLogic
import FoundationEssentials
import HTMLPages
import Understudy

/// All messages that a program's pages declare, with the titles of problems, and the labels of the pages' HTML.
struct MessageCatalog {
    /// The messages in the order of their codes, each code once.
    let messages: [Message]
    let labels: [Label]
    private let byCode: [String: Message]

    /// `templates` are the names of the program's HTML templates.
    init(_ pages: [Page], templates: some Collection<String> = [String]()) {
        messages = (pages.flatMap(\.messages) + Translations.serviceMessages).unique(by: \.code)
            .sorted { $0.code < $1.code }
        byCode = Dictionary(uniqueKeysWithValues: messages.map { ($0.code, $0) })
        labels = HTMLPages.labels(of: pages, templates: templates)
    }

    subscript(code: String) -> Message? { byCode[code] }

    /// A String Catalog (`.xcstrings`) with the English texts, and with the translations that exist. The English text of a label without
    /// one is its name.
    func json(_ translations: Translations) throws -> String {
        var strings: Value.Object = [:]
        for message in messages { strings.append(message.code, entry(of: message, translations)) }
        let texts = try HTMLPages.texts(adding: translations)
        for label in labels where label.keys.allSatisfy({ !strings.contains($0) }) {
            strings.append(label.keys[0], entry(of: label, texts))
        }
        let catalog: Value = [
            "sourceLanguage": .string(Self.sourceLanguage), "strings": .object(strings), "version": "1.0",
        ]
        // The format in which Xcode writes it.
        return String(decoding: try JSONEncoder.indented.encode(catalog), as: UTF8.self)
    }

    private func entry(of message: Message, _ translations: Translations) -> Value {
        let english = EnglishText(of: message)
        let comment = message.parameters.isEmpty ? nil : Self.comment(on: message.parameters)
        // With a text that lacks a parameter, the service would send that text instead of the message's own.
        return entry(english.unknown.isEmpty ? english.template : nil, translations, comment: comment) {
            translations.codes(in: $0).contains(message.code) ? message.code : nil
        }
    }

    private func entry(of label: Label, _ texts: Translations) -> Value {
        entry(MessageTemplate(other: [.text(label.fallback)]), texts) { label.key(in: $0, of: texts) }
    }

    /// - Parameter key: returns the key of the text in a language; `nil` without a text.
    private func entry(
        _ english: MessageTemplate?,
        _ texts: Translations,
        comment: String? = nil,
        key: (_ language: String) -> String?
    ) -> Value {
        var localizations: Value.Object = [:]
        localizations[Self.sourceLanguage] = english?.localization
        for language in texts.languages {
            guard let key = key(language) else { continue }
            localizations[language] = texts.template(of: key, in: language)?.localization
        }
        var entry: Value.Object = ["extractionState": "manual", "localizations": .object(localizations)]
        entry["comment"] = comment.map(Value.string)
        return .object(entry)
    }

    /// The language of the messages in the controllers.
    private static let sourceLanguage = "en"

    /// Explains the placeholders: `%1$lld: minimum`.
    private static func comment(on parameters: Value.Object) -> String {
        parameters.enumerated().map { index, parameter in
            "\(MessageTemplate.Placeholder(index, of: parameter.value).text): \(parameter.name)"
        }.joined(separator: ", ")
    }
}

extension MessageTemplate.Placeholder {
    init(_ index: Int, of value: Value) {
        self.init(index: index, isInteger: value.integer != nil)
    }
}

struct EnglishText {
    /// The text, with placeholders instead of the parameters that it contains.
    let template: MessageTemplate
    /// The indices of the parameters that are declared with an empty text, which cannot be found in the text.
    let unknown: [Int]

    init(of message: Message) {
        var segments = [MessageTemplate.Segment.text(message.text)]
        var unknown: [Int] = []
        for (index, parameter) in message.parameters.enumerated() {
            let placeholder = MessageTemplate.Placeholder(index, of: parameter.value)
            guard let value = placeholder.text(message.parameters, .neutral) else { continue }
            if value.isEmpty {
                unknown.append(index)
            } else {
                segments = segments.flatMap { $0.replacing(value, by: placeholder) }
            }
        }
        template = MessageTemplate(other: segments)
        self.unknown = unknown
    }
}

extension MessageTemplate {
    /// The template as in a String Catalog.
    fileprivate var localization: Value {
        guard let one else { return Self.unit(other) }
        return ["variations": ["plural": ["one": Self.unit(one), "other": Self.unit(other)]]]
    }

    private static func unit(_ segments: [Segment]) -> Value {
        ["stringUnit": ["state": "translated", "value": .string(segments.map(\.text).joined())]]
    }
}

extension MessageTemplate.Segment {
    /// The segment as in a String Catalog.
    fileprivate var text: String {
        switch self {
        case .text(let text): text.replacing("%", with: "%%")
        case .placeholder(let placeholder): placeholder.text
        }
    }

    /// The segment, with the placeholder instead of the word `value`.
    fileprivate func replacing(_ value: String, by placeholder: MessageTemplate.Placeholder) -> [Self] {
        guard case .text(let text) = self, let range = text.range(ofWord: value) else { return [self] }
        let segments: [Self] = [
            .text(String(text[..<range.lowerBound])), .placeholder(placeholder),
            .text(String(text[range.upperBound...])),
        ]
        return segments.filter { $0 != .text("") }
    }
}

extension String {
    /// The first range of the text, if it is not part of a longer word or number.
    fileprivate func range(ofWord word: String) -> Range<Index>? {
        ranges(of: word).first { range in
            let before = self[..<range.lowerBound].last
            let after = self[range.upperBound...].first
            return ![before, after].contains { $0.map { $0.isLetter || $0.isNumber } ?? false }
        }
    }
}

extension Translations {
    /// Reads a String Catalog, which may also contain an app's other texts. `setting` is the one that names the file; `nil` if an argument
    /// does. Throws if the file cannot be read, or contains what the service does not support.
    init(file path: String, setting: String? = nil, for catalog: MessageCatalog) throws(CommandError) {
        let name = "The file '\(path)'\(setting.map { " of '\($0)'" } ?? "")"
        let bytes = try FileContent.bytes(of: path, called: name)
        do {
            self = try Translations(catalog: bytes, codes: Set(catalog.messages.map(\.code)))
        } catch {
            throw CommandError("\(name) cannot be used: \(error)")
        }
    }
}
