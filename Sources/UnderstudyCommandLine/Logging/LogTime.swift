import BusinessLogic

/// The time of a log line in UTC, such as `2025-07-01T12:00:00.250Z`.
///
/// Keeps the text of the last time, because most lines of a busy server are written in the same millisecond as the line before.
struct LogTime {
    private var time = Timestamp(milliseconds: 0)
    /// The digits and separators, with `Z` at the end.
    private var bytes = Array("1970-01-01T00:00:00.000Z".utf8)

    /// The part of the text that a format shows.
    func text(_ format: LogFormat) -> ArraySlice<UInt8> {
        switch format {
        case .text: bytes[11...]
        case .json: bytes[...]
        }
    }

    /// - Parameter time: at or after 1970.
    mutating func set(_ time: Timestamp) {
        guard time != self.time else { return }
        let (second, millisecond) = time.milliseconds.quotientAndRemainder(dividingBy: 1000)
        if second != self.time.milliseconds / 1000 {
            // Without milliseconds.
            let text = "\(Timestamp(milliseconds: second * 1000))".utf8.dropLast()
            bytes.replaceSubrange(..<text.count, with: text)
        }
        self.time = time
        for (index, unit) in zip(20..., [100, 10, 1] as [Int64]) {
            bytes[index] = UInt8(ascii: "0") + UInt8(millisecond / unit % 10)
        }
    }
}
