public import BusinessLogic
public import CustomDump

/// The difference between two lists of commands, line by line.
func difference(from expected: [Command], to received: [Command]) -> String {
    let lines = diff(expected, received) ?? "\(expected)\n\(received)"
    return lines + "\n\n(Expected: -, received: +)"
}

extension Command: CustomDumpReflectable {
    /// The command without absent parts, and with a message's text only once.
    public var customDumpMirror: Mirror {
        switch self {
        case .render(let key, _, let message?):
            Mirror(self, children: ["render": (key: key, message: message)], displayStyle: .enum)
        case .render(let key, let value, nil):
            Mirror(self, children: ["render": (key: key, value: value)], displayStyle: .enum)
        case .showAlert, .goToPage:
            Mirror(reflecting: self)
        }
    }
}

extension Value: CustomDumpRepresentable {
    /// The value as a Swift value, so that a difference shows it as in the source of a test.
    public var customDumpValue: Any {
        switch self {
        case .null: Value?.none as Any
        case .boolean(let boolean): boolean
        case .number(.integer(let integer)): integer
        case .number(.double(let double)): double
        case .string(let string): string
        case .array(let elements): elements
        case .object(let object): object
        }
    }
}

extension Value.Object: CustomDumpRepresentable {
    /// The object as a dictionary, so that a difference shows it as in the source of a test.
    public var customDumpValue: Any { Dictionary(map { ($0.name, $0.value) }) { $1 } }
}
