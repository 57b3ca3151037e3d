import ArgumentParser
import BusinessLogic
import Understudy

/// A time as a person writes it: a day in UTC (`2026-01-31`), a time with its offset (`2026-01-31T09:30:00Z`), or a duration with its unit before
/// now (`90d`).
enum PointInTime: ExpressibleByArgument {
    case time(Timestamp)
    case ago(Duration)

    init?(argument: String) {
        if let time = Timestamp(argument) ?? Timestamp(argument + "T00:00:00Z") {
            self = .time(time)
        } else if argument.last?.isLetter == true, let duration = Duration(written: argument) {
            // Not without a unit: a person who writes 2026 means the year.
            self = .ago(duration)
        } else {
            return nil
        }
    }

    /// The time.
    func timestamp(now: Timestamp) -> Timestamp {
        switch self {
        case .time(let time): time
        case .ago(let duration): now - duration
        }
    }
}
