import Testing

/// A request's head as it is sent, named in a test's results by its text with control bytes escaped.
struct RawHead: ExpressibleByStringLiteral, CustomTestStringConvertible {
    let text: String

    init(stringLiteral value: String) {
        text = value
    }

    var testDescription: String { text.debugDescription }
}
