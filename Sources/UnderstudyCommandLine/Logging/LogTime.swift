import Glibc

/// The time of a log line in UTC, such as `2025-07-01T12:00:00.250Z`.
///
/// Keeps the text of the last time, because most lines of a busy server are written in the same millisecond as the line before.
struct LogTime {
    /// The digits and separators, with `Z` at the end.
    private(set) var bytes = Array("0000-00-00T00:00:00.000Z".utf8)
    private var second = Int.min
    private var millisecond = Int.min

    /// The part of the text that a format shows.
    func text(_ format: LogFormat) -> ArraySlice<UInt8> {
        switch format {
        case .text: bytes[11...]
        case .json: bytes[...]
        }
    }

    /// Sets the time to the system's clock.
    mutating func update() {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        set(seconds: time.tv_sec, milliseconds: time.tv_nsec / 1_000_000)
    }

    /// Sets the time to seconds and milliseconds after 1970.
    mutating func set(seconds: Int, milliseconds: Int) {
        guard seconds != second || milliseconds != millisecond else { return }
        if seconds != second { set(seconds: seconds) }
        millisecond = milliseconds
        set(milliseconds, at: 20, digits: 3)
    }

    private mutating func set(seconds: Int) {
        second = seconds
        var (time, parts) = (time_t(seconds), tm())
        gmtime_r(&time, &parts)
        set(Int(parts.tm_year) + 1900, at: 0, digits: 4)
        set(Int(parts.tm_mon) + 1, at: 5, digits: 2)
        set(Int(parts.tm_mday), at: 8, digits: 2)
        set(Int(parts.tm_hour), at: 11, digits: 2)
        set(Int(parts.tm_min), at: 14, digits: 2)
        set(Int(parts.tm_sec), at: 17, digits: 2)
    }

    private mutating func set(_ number: Int, at start: Int, digits: Int) {
        var rest = UInt(bitPattern: number)
        for index in (start..<start + digits).reversed() {
            bytes[index] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
            rest /= 10
        }
    }
}
