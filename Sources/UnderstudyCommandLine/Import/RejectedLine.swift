/// A line of a file that is not imported.
struct RejectedLine: Error, Equatable {
    /// Its number, from 1.
    let line: Int
    let reason: String
}
