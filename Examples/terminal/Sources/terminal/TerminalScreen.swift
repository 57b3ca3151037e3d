import BusinessLogic

/// A screen that is a terminal: shows everything as a line, and has a field filled in when it is first asked for it.
final class TerminalScreen: Controllable {
    var eventable: (any Eventable)? {
        didSet { eventable?.controllable = self }
    }

    private let ask: (String) -> String?
    private let show: (String) -> Void
    private var fields: [String: Value] = [:]

    /// - Parameters:
    ///   - ask: asks a person for a field; `nil` where nobody answers any more.
    ///   - show: shows a line to them.
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
