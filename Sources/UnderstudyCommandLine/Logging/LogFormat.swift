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
