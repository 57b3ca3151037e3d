extension Timestamp {
    /// The time so many milliseconds after the beginning of 1970.
    package static func ms(_ milliseconds: Int64) -> Timestamp { Timestamp(milliseconds: milliseconds) }
}
