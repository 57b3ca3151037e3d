public import BusinessLogic

/// A controller whose collaborators are passed through these gives the same commands in a replay, whatever they answer then.
extension PageContext {
    /// The clock, recorded where the session is.
    public func recorded(_ clock: any WallClock) -> any WallClock {
        answers.log.map { RecordedClock(clock: clock, log: $0) } ?? clock
    }

    /// The random source, its numbers recorded where the session is, so that no secret may be made of them.
    public func recorded(_ random: any RandomNumberGenerator & Sendable) -> any RandomNumberGenerator & Sendable {
        isRecorded ? RecordedRandom(random: random, answers: answers) : random
    }

    /// Whether the session is recorded or replayed.
    package var isRecorded: Bool { answers.log != nil }
}

/// A clock whose readings go through a log. They are no answers like others: one that is read more often than it was
/// stands still, and nothing is missing.
private struct RecordedClock: WallClock {
    let clock: any WallClock
    let log: CollaboratorLog

    var now: Timestamp { log.time(clock) }
}

/// A random source whose numbers are answers, as integers of the same bits.
private struct RecordedRandom: RandomNumberGenerator, Sendable {
    var random: any RandomNumberGenerator & Sendable
    let answers: PageContext.Answers
    var fallback: UInt64 = 0

    mutating func next() -> UInt64 {
        // No constant, which some algorithms would refuse for ever: odd steps come by all numbers.
        fallback &+= 0x9E37_79B9_7F4A_7C15
        let answer = answers.from("random", else: Int(truncatingIfNeeded: fallback)) {
            Int(truncatingIfNeeded: random.next())
        }
        return UInt64(truncatingIfNeeded: answer)
    }
}
