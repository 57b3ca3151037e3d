extension ValueSchema {
    /// The scalar that a form's text means; `nil` if the text is no such value. A browser sends `on` for a ticked check box.
    package func value(ofText text: String) -> Value? {
        switch kind {
        case .string where format == "date-time": return .string(Timestamp.completed(text))
        case .string, .choice: return .string(text)
        case .boolean: return text == "true" || text == "on" ? .some(true) : text == "false" ? .some(false) : .none
        case .number, .integer:
            guard case .number(let number)? = try? JSONReader.read(Array(text.utf8)) else { return .none }
            return .number(number)
        case .any: return .string(text)
        case .array, .object: return .none
        }
    }
}
