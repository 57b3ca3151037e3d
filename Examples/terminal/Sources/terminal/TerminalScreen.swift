import BusinessLogic

/// A screen in a terminal: shows each value as a line, and asks for a field when the controller first reads it.
final class TerminalScreen: Controllable {
    var eventable: (any Eventable)? {
        didSet { eventable?.controllable = self }
    }

    private let ask: (String) -> String?
    private let show: (String) -> Void
    private var fields: [String: Value] = [:]

    /// - Parameters:
    ///   - ask: asks the user for the value of a field; returns `nil` at the end of the input.
    ///   - show: shows a line to the user.
    init(ask: @escaping (String) -> String?, show: @escaping (String) -> Void) {
        self.ask = ask
        self.show = show
    }

    func render(_ key: String, _ value: Value) {
        switch value {
        case .string(let text): show("\(key): \(text)")
        case .null: break
        default: show("\(key): \(value)")
        }
    }

    func getValue(_ key: String) -> Value? {
        if fields[key] == nil { fields[key] = ask(key).map(Value.string) }
        return fields[key]
    }

    func showAlert(_ message: Message) {
        show("! \(message.text)")
    }
}
