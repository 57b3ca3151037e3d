import Testing

/// The head of a request. Test results show its text with escaped control bytes.
struct RawHead: ExpressibleByStringLiteral, CustomTestStringConvertible {
    let text: String

    init(stringLiteral value: String) {
        text = value
    }

    var testDescription: String { text.debugDescription }
}
