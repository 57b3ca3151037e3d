package import BusinessLogic

/// A text in one language, with placeholders for a message's parameters.
package struct MessageTemplate: Equatable, Sendable {
    package enum Segment: Equatable, Sendable {
        case text(String)
        case placeholder(Placeholder)
    }

    package struct Placeholder: Hashable, Sendable {
        /// The parameter's index in their declared order, from 0.
        package let index: Int
        /// Whether the parameter must be an integer: `%lld` instead of `%@`.
        package let isInteger: Bool
        /// The number of digits after the decimal separator of a number: `%.2f` instead of `%@`; `nil` for as many as it has.
        package let fractionDigits: Int?

        package init(index: Int, isInteger: Bool, fractionDigits: Int? = nil) {
            self.index = index
            self.isInteger = isInteger
            self.fractionDigits = fractionDigits
        }

        package var text: String { "%\(index + 1)$" + (isInteger ? "lld" : fractionDigits.map { ".\($0)f" } ?? "@") }
    }

    /// The text for all numbers, or for those to which ``one`` does not apply.
    package let other: [Segment]
    /// The text for the number one; `nil` if the text does not depend on a number.
    package let one: [Segment]?
    /// Decides to which numbers ``one`` applies.
    private let language: String

    package init(other: [Segment], one: [Segment]? = nil, language: String = LanguageTag.english) {
        self.other = other
        self.one = one
        self.language = language
    }

    /// The placeholders, each once, in the order of their first use.
    package var placeholders: [Placeholder] {
        (other + (one ?? [])).compactMap { if case .placeholder(let placeholder) = $0 { placeholder } else { nil } }
            .unique(by: \.self)
    }

    /// `nil` if a placeholder has no parameter of its type.
    package func text(_ parameters: Value.Object, _ format: ValueFormat) -> String? {
        var text = ""
        let segments = one.flatMap { isOne(parameters) ? $0 : nil } ?? other
        for segment in segments {
            switch segment {
            case .text(let literal): text += literal
            case .placeholder(let placeholder):
                guard let value = placeholder.text(parameters, format) else { return nil }
                text += value
            }
        }
        return text
    }

    /// The text depends on the first integer placeholder, or else the first placeholder.
    private func isOne(_ parameters: Value.Object) -> Bool {
        let placeholders = placeholders
        let number = placeholders.first { $0.isInteger } ?? placeholders.first
        guard let index = number?.index, index < parameters.count else { return false }
        return parameters[index].value.integer?.magnitude.isOne(in: language) == true
    }
}

extension MessageTemplate.Placeholder {
    /// `nil` if there is no such parameter of that type.
    package func text(_ parameters: Value.Object, _ format: ValueFormat) -> String? {
        guard index < parameters.count else { return nil }
        let value = parameters[index].value
        if isInteger { return value.integer.map { String($0) } }
        if fractionDigits != nil, value.double == nil { return nil }
        return format.text(of: value, fractionDigits: fractionDigits)
    }
}

extension UInt {
    /// Whether the number has the plural form *one* in a language (Unicode CLDR).
    fileprivate func isOne(in language: String) -> Bool {
        switch LanguageTag.truncations(of: language).last {
        case "ak", "am", "as", "bho", "bn", "doi", "fa", "ff", "fr", "gu", "guw", "hi", "hy", "kab", "kn", "ln", "mg",
            "nso", "pa", "pcm", "si", "ti", "wa", "zu":
            self <= 1
        case "pt": self == 1 || self == 0 && language != "pt-PT"
        case "is", "mk": self % 10 == 1 && self % 100 != 11
        case "ceb", "fil", "tl": ![4, 6, 9].contains(self % 10)
        case "tzm": self <= 1 || (11...99).contains(self)
        default: self == 1
        }
    }
}
