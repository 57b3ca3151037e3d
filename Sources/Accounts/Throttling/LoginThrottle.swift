import BusinessLogic

/// Slows down whoever guesses an account's password, from however many sessions and machines.
///
/// After five failures in a row an attempt is let through only when a wait is over, which grows from 30 seconds to 15
/// minutes with each further failure. So there are at most twelve attempts in the first hour and four in any other; the
/// OWASP Authentication Cheat Sheet's "login throttling" with NIST SP 800-63B's limit of 100 in mind.
struct LoginThrottle {
    /// How many failures in a row nothing follows from.
    static let freeFailures = 5

    private static let firstWait: Int64 = 30
    private static let longestWait: Int64 = 15 * 60

    /// Whether an attempt may be verified now. It then counts as a failure until it is known to be none, so that attempts
    /// at the same time cannot be more than one after the other may.
    static func admit(_ count: inout FailureCount, at now: Timestamp) -> Bool {
        if count.failures >= freeFailures, let last = count.lastFailure, now < last + wait(after: count.failures) {
            count.refused &+= 1
            return false
        }
        count.failures += 1
        count.lastFailure = now
        return true
    }

    /// How long after the last of so many failures the next attempt may be made.
    static func wait(after failures: Int) -> Duration {
        guard failures >= freeFailures else { return .zero }
        return .seconds(min(longestWait, firstWait << Int64(min(failures - freeFailures, 16))))
    }
}

extension ThrottleKey {
    /// The key of a name that nobody has: the same for the same name, on every machine (FNV-1a).
    static func stranger(_ name: AccountKey) -> ThrottleKey {
        var hash: UInt32 = 2_166_136_261
        for byte in name.text.utf8 { hash = (hash ^ UInt32(byte)) &* 16_777_619 }
        return .stranger(UInt16(truncatingIfNeeded: hash ^ hash >> 16))
    }
}
