/// A line of a file that is not imported.
struct RejectedLine: Error, Equatable {
    /// The number of its first line, from 1.
    let line: Int
    let reason: String
}
