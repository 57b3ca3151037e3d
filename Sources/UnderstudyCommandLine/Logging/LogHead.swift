import Logging

/// The format of log lines.
enum LogFormat: String, CaseIterable, Sendable {
    /// For people: the time of day, the level and the message.
    case text
    /// For machines: a JSON object per line.
    case json
}

/// How log lines look.
struct LogStyle {
    let format: LogFormat
    /// Whether the level is coloured, as on a terminal. JSON never is.
    var hasColour = false
}

/// What lines of the same kind have in common: all that is between the time and the metadata.
struct LogHead {
    let bytes: [UInt8]

    init(_ level: Logger.Level, label: String, message: String, _ style: LogStyle) {
        let text =
            switch style.format {
            case .text: " \(style.hasColour ? level.colouredColumn : level.column) \(message.escaped)"
            case .json:
                "\",\"level\":\"\(level.rawValue)\",\"logger\":\(label.json),\"message\":\(message.json)"
            }
        bytes = Array(text.utf8)
    }
}

extension Logger.Level {
    /// The level in capital letters, as wide as the longest.
    fileprivate var column: String { rawValue.uppercased().padded(to: 8) }

    fileprivate var colouredColumn: String { "\u{1B}[\(colour)m\(column)\u{1B}[0m" }

    /// The parameter of the terminal's colour.
    private var colour: String {
        switch self {
        case .trace, .debug: "2"
        case .info, .notice: "32"
        case .warning: "33"
        case .error, .critical: "1;31"
        }
    }
}
