/// A point in time: milliseconds since 1970-01-01T00:00:00Z.
public struct Timestamp: Hashable, Comparable, Codable, Sendable {
    /// Milliseconds since 1970-01-01T00:00:00Z.
    public var milliseconds: Int64

    /// What clocks for tests show first: 2027-03-01T09:30:00.123Z. No other number in a state is near it by chance.
    package static let ofTests = Timestamp(milliseconds: 1_803_893_400_123)

    /// Creates a point in time from the milliseconds since 1970-01-01T00:00:00Z.
    public init(milliseconds: Int64) {
        self.milliseconds = milliseconds
    }

    public static func < (left: Timestamp, right: Timestamp) -> Bool { left.milliseconds < right.milliseconds }

    /// The point in time `duration` later, without fractions of a millisecond; the latest that there is instead of an overflow.
    public static func + (timestamp: Timestamp, duration: Duration) -> Timestamp {
        Timestamp(milliseconds: timestamp.milliseconds.addingSaturated(duration.wholeMilliseconds))
    }

    /// The point in time `duration` earlier, without fractions of a millisecond; the earliest that there is instead of an overflow.
    public static func - (timestamp: Timestamp, duration: Duration) -> Timestamp {
        Timestamp(milliseconds: timestamp.milliseconds.subtractingSaturated(duration.wholeMilliseconds))
    }

    /// The milliseconds from `other` to this point in time, negative if `other` is later; `Int64.max` or `Int64.min` instead of an
    /// overflow.
    public func milliseconds(since other: Timestamp) -> Int64 { milliseconds.subtractingSaturated(other.milliseconds) }

    public init(from decoder: any Decoder) throws {
        milliseconds = try decoder.singleValueContainer().decode(Int64.self)
    }

    /// Encodes the milliseconds.
    public func encode(to encoder: any Encoder) throws {
        if encoder.userInfo[.marksTimestamps] != nil {
            try [Self.mark: milliseconds].encode(to: encoder)
        } else {
            try milliseconds.encode(to: encoder)
        }
    }

    /// The only member of an object in which an encoder writes a timestamp that it marks.
    package static let mark = "understudy.timestamp"
}

extension FixedWidthInteger {
    /// The sum; the largest or smallest value instead of an overflow. For a number that was stored, and may be any number.
    @inlinable package func addingSaturated(_ other: Self) -> Self {
        let (sum, overflow) = addingReportingOverflow(other)
        return overflow ? (other < 0 ? .min : .max) : sum
    }

    @inlinable package func subtractingSaturated(_ other: Self) -> Self {
        let (difference, overflow) = subtractingReportingOverflow(other)
        return overflow ? (other < 0 ? .max : .min) : difference
    }
}

extension Duration {
    /// The milliseconds without fractions; `Int64.max` or `Int64.min` instead of an overflow.
    package var wholeMilliseconds: Int64 {
        let (seconds, attoseconds) = components
        let (milliseconds, overflow) = seconds.multipliedReportingOverflow(by: 1000)
        if overflow { return seconds < 0 ? .min : .max }
        return milliseconds.addingSaturated(attoseconds / 1_000_000_000_000_000)
    }
}

extension CodingUserInfoKey {
    /// Makes an encoder write timestamps as objects with the member ``Timestamp/mark``, with any value in `userInfo`.
    package static let marksTimestamps = CodingUserInfoKey("understudy.marksTimestamps")

    /// Creates a key. The standard library's initialiser returns an optional that is never `nil`.
    package init(_ name: StaticString) {
        guard let key = CodingUserInfoKey(rawValue: "\(name)") else { preconditionFailure("no key '\(name)'") }
        self = key
    }
}
