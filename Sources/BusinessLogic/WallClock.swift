/// A point in time: milliseconds since 1970-01-01T00:00:00Z, which mean the same on every machine.
public struct Timestamp: Hashable, Comparable, Codable, Sendable {
    /// Milliseconds since 1970-01-01T00:00:00Z.
    public var milliseconds: Int64

    /// That many milliseconds after 1970-01-01T00:00:00Z.
    public init(milliseconds: Int64) {
        self.milliseconds = milliseconds
    }

    public static func < (left: Timestamp, right: Timestamp) -> Bool {
        left.milliseconds < right.milliseconds
    }

    /// The point in time `duration` later.
    public static func + (timestamp: Timestamp, duration: Duration) -> Timestamp {
        let (seconds, attoseconds) = duration.components
        return Timestamp(milliseconds: timestamp.milliseconds + seconds * 1000 + attoseconds / 1_000_000_000_000_000)
    }

    public init(from decoder: any Decoder) throws {
        milliseconds = try decoder.singleValueContainer().decode(Int64.self)
    }

    /// Encodes the milliseconds; null where `CodingUserInfoKey.omitsTimestamps` says that they do not matter.
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
    /// Has timestamps encoded as null, for whoever wants to know whether two values are the same but for the time.
    public static let omitsTimestamps: CodingUserInfoKey = {
        guard let key = CodingUserInfoKey(rawValue: "understudy.omitsTimestamps") else {
            preconditionFailure("every text is a key of an encoder's user info")
        }
        return key
    }()
}

/// Tells the time of day. Injected, so that a test can steer it.
public protocol WallClock: Sendable {
    /// The time now.
    var now: Timestamp { get }
}
