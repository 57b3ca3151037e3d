/// A point in time: milliseconds since 1970-01-01T00:00:00Z.
public struct Timestamp: Hashable, Comparable, Codable, Sendable {
    /// Milliseconds since 1970-01-01T00:00:00Z.
    public var milliseconds: Int64

    /// Creates a point in time from the milliseconds since 1970-01-01T00:00:00Z.
    public init(milliseconds: Int64) {
        self.milliseconds = milliseconds
    }

    public static func < (left: Timestamp, right: Timestamp) -> Bool {
        left.milliseconds < right.milliseconds
    }

    /// The point in time `duration` later, without fractions of a millisecond.
    public static func + (timestamp: Timestamp, duration: Duration) -> Timestamp {
        let (seconds, attoseconds) = duration.components
        return Timestamp(milliseconds: timestamp.milliseconds + seconds * 1000 + attoseconds / 1_000_000_000_000_000)
    }

    public init(from decoder: any Decoder) throws {
        milliseconds = try decoder.singleValueContainer().decode(Int64.self)
    }

    /// Encodes the milliseconds.
    public func encode(to encoder: any Encoder) throws {
        if encoder.userInfo[.omitsTimestamps] == nil {
            try milliseconds.encode(to: encoder)
        } else {
            var container = encoder.singleValueContainer()
            try container.encodeNil()
        }
    }
}

extension CodingUserInfoKey {
    /// Makes an encoder write timestamps as null, with any value in `userInfo`. Use it to compare values regardless of time.
    package static let omitsTimestamps = CodingUserInfoKey("understudy.omitsTimestamps")

    /// Creates a key. The standard library's initialiser returns an optional that is never `nil`.
    package init(_ name: StaticString) {
        guard let key = CodingUserInfoKey(rawValue: "\(name)") else { preconditionFailure("no key '\(name)'") }
        self = key
    }
}

/// A source of the current time. Pass it to a type, so that a test can set the time.
public protocol WallClock: Sendable {
    /// The time now.
    var now: Timestamp { get }
}
