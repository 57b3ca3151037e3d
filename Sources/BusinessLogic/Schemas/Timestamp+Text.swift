/// A time as text: `2027-03-01T09:30:00Z` (`date-time` in RFC 3339).
extension Timestamp: ScreenValue {
    public typealias Bound = Timestamp

    public static var valueSchema: ValueSchema {
        ValueSchema(.string, format: "date-time", example: "2027-03-01T09:30:00Z", of: Timestamp.self)
    }

    public init?(screenValue: Value) {
        guard case .string(let text) = screenValue else { return nil }
        self.init(text)
    }

    public var screenValue: Value { .string(description) }
}

extension Timestamp: LosslessStringConvertible {
    /// Reads a time with its offset from UTC, as in `2027-03-01T09:30:00.5+01:00`. Fractions of a millisecond are dropped. Returns `nil` if the text
    /// has another form, or if there is no such time. A leap second is the second after it.
    public init?(_ text: String) {
        var reader = TimeReader(text)
        guard let day = reader.readDay(), reader.take("Tt"), let milliseconds = reader.readTime(),
            let offset = reader.readOffset(), reader.isAtEnd
        else { return nil }
        self.init(milliseconds: Int64(day.daysSince1970) * 86_400_000 + milliseconds - offset * 60_000)
    }

    /// The time in UTC, as in `2027-03-01T09:30:00Z`. A time before the year 1 or after the year 9999 is the first or last of them.
    public var description: String {
        let day = Day(self)
        let inDay = Int(min(max(milliseconds - Int64(day.daysSince1970) * 86_400_000, 0), 86_399_999))
        let (seconds, fraction) = inDay.quotientAndRemainder(dividingBy: 1000)
        let time = "\((seconds / 3600).digits(2)):\((seconds / 60 % 60).digits(2)):\((seconds % 60).digits(2))"
        return "\(day)T\(time)\(fraction == 0 ? "" : "." + fraction.digits(3))Z"
    }

    /// The text that a form's input for dates and times means: browsers send neither seconds nor an offset. The time is in UTC.
    static func completed(_ text: String) -> String {
        if Timestamp(text + "Z") != nil { return text + "Z" }
        if Timestamp(text + ":00Z") != nil { return text + ":00Z" }
        return text
    }
}

/// Reads the parts of a date and a time (RFC 3339, section 5.6).
struct TimeReader {
    private var rest: Substring.UTF8View

    init(_ text: String) {
        rest = text[...].utf8
    }

    var isAtEnd: Bool { rest.isEmpty }

    mutating func take(_ characters: StaticString) -> Bool {
        guard let byte = rest.first,
            UnsafeBufferPointer(start: characters.utf8Start, count: characters.utf8CodeUnitCount).contains(byte)
        else { return false }
        rest.removeFirst()
        return true
    }

    private mutating func number(_ count: Int) -> Int? {
        var number = 0
        for _ in 0..<count {
            guard let byte = rest.first, byte.isASCIIDigit else { return nil }
            number = number * 10 + Int(byte - UInt8(ascii: "0"))
            rest.removeFirst()
        }
        return number
    }

    mutating func readDay() -> Day? {
        guard let year = number(4), take("-"), let month = number(2), take("-"), let day = number(2) else { return nil }
        return Day(year: year, month: month, day: day)
    }

    /// The milliseconds since the start of the day.
    mutating func readTime() -> Int64? {
        guard let hour = number(2), hour < 24, take(":"), let minute = number(2), minute < 60, take(":"),
            let second = number(2), second <= 60
        else { return nil }
        var milliseconds = 0
        if take(".") {
            var (digits, weight) = (0, 100)
            while let digit = number(1) {
                milliseconds += digit * weight
                weight /= 10
                digits += 1
            }
            if digits == 0 { return nil }
        }
        return Int64((hour * 60 + minute) * 60 + second) * 1000 + Int64(milliseconds)
    }

    /// The minutes by which the time is ahead of UTC.
    mutating func readOffset() -> Int64? {
        if take("Zz") { return 0 }
        let isBehind = rest.first == UInt8(ascii: "-")
        guard take("+-"), let hours = number(2), hours < 24, take(":"), let minutes = number(2), minutes < 60 else {
            return nil
        }
        return Int64(hours * 60 + minutes) * (isBehind ? -1 : 1)
    }
}
