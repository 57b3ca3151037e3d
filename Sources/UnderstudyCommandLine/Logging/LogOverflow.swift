/// What happens if the access log is written more slowly than requests arrive.
enum LogOverflow: String, CaseIterable, Sendable {
    /// Lines are lost, and counted.
    case drop
    /// Requests wait.
    case wait
}
