// Everything in this module that depends on the kind is in this file, so that a new kind changes only this file.
extension Field {
    /// The type of a field's value.
    public enum Kind: String, Codable, Sendable, CaseIterable {
        /// A text.
        case string
        /// A number, with or without a fraction.
        case number
        /// True or false: a switch.
        case boolean
    }
}

extension Field.Kind {
    /// Whether a value other than null is of this kind.
    func accepts(_ value: Value) -> Bool {
        switch (value, self) {
        case (.string, .string), (.number, .number), (.boolean, .boolean): true
        default: false
        }
    }

    /// The value of a form's text; `nil` if the text is not a value of this kind. A boolean is `true` or `false`. A
    /// number is as in JSON.
    package func value(ofText text: String) -> Value? {
        switch self {
        case .string: .string(text)
        case .boolean: text == "true" ? true : text == "false" ? false : nil
        case .number:
            (try? JSONReader.read(Array(text.utf8))).flatMap { if case .number = $0 { $0 } else { nil } }
        }
    }

    /// A value of this kind for examples.
    package var example: Value {
        switch self {
        case .string: "text"
        case .number: 1
        case .boolean: true
        }
    }

    /// The value that a replay sends for a secret field, which the recording does not contain.
    package var erasedValue: Value {
        switch self {
        case .string: "erased"
        case .number: 0
        case .boolean: false
        }
    }
}
