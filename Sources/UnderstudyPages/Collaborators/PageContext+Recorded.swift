public import BusinessLogic

/// Pass your controller's collaborators through these functions, so that a replay gives the same commands.
extension PageContext {
    /// The clock to pass to your controller, whose timers follow it. If the session is recorded, the recording contains the times that it
    /// returns.
    public func recorded(_ clock: any WallClock) -> any WallClock {
        self.clock = clock
        return results.log.map { RecordedClock(clock: clock, log: $0) } ?? clock
    }

    /// The random source to pass to your controller. If the session is recorded, the recording contains the numbers that it
    /// returns: do not create secrets from them.
    public func recorded(_ random: any RandomNumberGenerator & Sendable) -> any RandomNumberGenerator & Sendable {
        isRecorded ? RecordedRandom(random: random, results: results) : random
    }

    /// Whether the session is recorded or replayed.
    package var isRecorded: Bool { results.log != nil }
}

/// A clock whose times are recorded. If a replay reads it more often than recorded, it returns the last time again, and
/// reports no difference.
private struct RecordedClock: WallClock {
    let clock: any WallClock
    let log: CollaboratorLog

    var now: Timestamp { log.time(clock) }
}

/// A random source whose numbers are recorded, as integers with the same bits.
private struct RecordedRandom: RandomNumberGenerator, Sendable {
    var random: any RandomNumberGenerator & Sendable
    let results: PageContext.Results
    var fallback: UInt64 = 0

    mutating func next() -> UInt64 {
        // Not a constant: an algorithm that rejects it would never end. Adding an odd number reaches every number.
        fallback &+= 0x9E37_79B9_7F4A_7C15
        let number = results.from("random", else: Int(truncatingIfNeeded: fallback)) {
            Int(truncatingIfNeeded: random.next())
        }
        return UInt64(truncatingIfNeeded: number)
    }
}
