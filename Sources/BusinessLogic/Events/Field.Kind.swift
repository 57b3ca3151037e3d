extension Field {
    /// The type of a field's value. All that depends on the kind is in this file.
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

    /// The value that a form's text means; `nil` if the text is no such value.
    package func value(ofText text: String) -> Value? {
        switch self {
        case .string: .string(text)
        case .boolean: text == "true" ? true : text == "false" ? false : nil
        case .number:
            (try? JSONReader.read(Array(text.utf8))).flatMap { if case .number = $0 { $0 } else { nil } }
        }
    }

    /// A value for examples.
    package var example: Value {
        switch self {
        case .string: "text"
        case .number: 1
        case .boolean: true
        }
    }

    /// The value of an erased field in a replay.
    package var erasedValue: Value {
        switch self {
        case .string: "erased"
        case .number: 0
        case .boolean: false
        }
    }
}
