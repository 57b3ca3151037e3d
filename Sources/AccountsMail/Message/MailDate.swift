internal import BusinessLogic
internal import Glibc

/// The time in the head of a message (RFC 5322 section 3.3), in UTC: `Tue, 14 Nov 2023 22:13:20 +0000`.
enum MailDate {
    private static let days = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    static func text(_ time: Timestamp) -> String {
        var (seconds, parts) = (time_t(time.milliseconds / 1000), tm())
        gmtime_r(&seconds, &parts)
        let clock = [parts.tm_hour, parts.tm_min, parts.tm_sec].map { $0 < 10 ? "0\($0)" : "\($0)" }
        let day = "\(parts.tm_mday) \(months[Int(parts.tm_mon)]) \(Int(parts.tm_year) + 1900)"
        return "\(days[Int(parts.tm_wday)]), \(day) \(clock.joined(separator: ":")) +0000"
    }
}
