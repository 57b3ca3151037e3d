/// An instruction from a controller to its screen.
public enum Command: Equatable, Codable, Sendable {
    /// Show `value` under `key`. If the value is a message's text, `message` is that message.
    case render(key: String, value: Value, message: Message?)
    /// Show an alert.
    case showAlert(Message)
    /// Go to another page, which receives `values`.
    case goToPage(name: String, values: Value.Object)

    /// A command that shows `value` under `key`.
    public static func render(_ key: String, _ value: Value) -> Command {
        .render(key: key, value: value, message: nil)
    }

    /// A command that shows a message's text under `key`.
    public static func render(_ key: String, _ message: Message) -> Command {
        .render(key: key, value: .string(message.text), message: message)
    }

    /// A command that goes to another page, which receives `values`.
    public static func goToPage(_ name: String, _ values: Value.Object = [:]) -> Command {
        .goToPage(name: name, values: values)
    }

    package var message: Message? {
        switch self {
        case .render(_, _, let message): message
        case .showAlert(let message): message
        case .goToPage: nil
        }
    }

    package var error: Message? {
        guard let message, message.isError else { return nil }
        return message
    }
}

extension Command: CustomStringConvertible {
    /// The command in one line: `render title="Products"`, `goToPage Home`.
    public var description: String {
        switch self {
        case .render(let key, .string(let text), let message?) where text == message.text: "render \(key)=\(message)"
        case .render(let key, let value, let message?): "render \(key)=\(value) for \(message)"
        case .render(let key, let value, nil): "render \(key)=\(value)"
        case .showAlert(let message): "showAlert \(message)"
        case .goToPage(let name, let values): values.isEmpty ? "goToPage \(name)" : "goToPage \(name) \(values)"
        }
    }
}
