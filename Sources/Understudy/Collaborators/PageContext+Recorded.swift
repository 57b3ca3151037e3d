public import BusinessLogic

/// Pass your controller's collaborators through these functions, so that a replay gives the same commands.
extension PageContext {
    /// The clock. If the session is recorded, its times are recorded.
    public func recorded(_ clock: any WallClock) -> any WallClock {
        answers.log.map { RecordedClock(clock: clock, log: $0) } ?? clock
    }

    /// The random source. If the session is recorded, its numbers are recorded: do not create secrets from them.
    public func recorded(_ random: any RandomNumberGenerator & Sendable) -> any RandomNumberGenerator & Sendable {
        isRecorded ? RecordedRandom(random: random, answers: answers) : random
    }

    /// Whether the session is recorded or replayed.
    package var isRecorded: Bool { answers.log != nil }
}

/// A clock whose times are recorded. If a replay reads it more often, it repeats the last time instead of reporting a
/// missing result.
private struct RecordedClock: WallClock {
    let clock: any WallClock
    let log: CollaboratorLog

    var now: Timestamp { log.time(clock) }
}

/// A random source whose numbers are recorded, as integers with the same bits.
private struct RecordedRandom: RandomNumberGenerator, Sendable {
    var random: any RandomNumberGenerator & Sendable
    let answers: PageContext.Answers
    var fallback: UInt64 = 0

    mutating func next() -> UInt64 {
        // Not a constant, which some algorithms would reject for ever. Adding an odd number reaches all numbers.
        fallback &+= 0x9E37_79B9_7F4A_7C15
        let answer = answers.from("random", else: Int(truncatingIfNeeded: fallback)) {
            Int(truncatingIfNeeded: random.next())
        }
        return UInt64(truncatingIfNeeded: answer)
    }
}
