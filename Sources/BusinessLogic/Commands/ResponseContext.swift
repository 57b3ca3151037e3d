/// What a response depends on apart from its commands: the addresses of pages, and the language of messages.
///
/// A class, because many functions pass it on.
package final class ResponseContext: Sendable {
    /// Of a recording's reader: no addresses, and English.
    package static let recording = ResponseContext()

    package let links: PageLinks
    private let translation: (@Sendable (Message) -> String?)?

    /// The translation returns a message's text in the client's language, or `nil` if the message is not translated.
    package init(links: PageLinks = PageLinks(), translation: (@Sendable (Message) -> String?)? = nil) {
        self.links = links
        self.translation = translation
    }

    package func text(of message: Message) -> String {
        guard let translation else { return message.text }
        return translation(message) ?? message.text
    }

    /// A value that a command renders for the client: the text of its message, if the value is that text.
    package func value(_ value: Value, of message: Message) -> Value {
        guard let translation, case .string(let text) = value, text.hasSameBytes(as: message.text) else { return value }
        return translation(message).map(Value.string) ?? value
    }
}
