/// A day of the Gregorian calendar without a time: a birthday, the day of an appointment. In JSON it is a text, as in `2027-03-01`.
public struct Day: Hashable, Comparable, Sendable {
    /// The year, from 1 to 9999.
    public let year: Int
    /// The month, from 1 to 12.
    public let month: Int
    /// The day of the month, from 1.
    public let day: Int

    /// Creates a day. Returns `nil` if the calendar has no such day.
    public init?(year: Int, month: Int, day: Int) {
        guard (1...9999).contains(year), (1...12).contains(month), day >= 1, day <= Self.days(of: month, in: year)
        else {
            return nil
        }
        (self.year, self.month, self.day) = (year, month, day)
    }

    /// Reads a day in the form `2027-03-01` (`full-date` in RFC 3339). Returns `nil` if the text has another form, or the calendar no such day.
    public init?(_ text: String) {
        var reader = TimeReader(text)
        guard let day = reader.readDay(), reader.isAtEnd else { return nil }
        self = day
    }

    /// The day at a point in time, in UTC; the first or the last day if the time is before or after them.
    public init(_ timestamp: Timestamp) {
        self.init(number: Int(timestamp.milliseconds.dividedRoundingDown(by: 86_400_000)))
    }

    /// The number of days since 1970-01-01, negative before it.
    public var daysSince1970: Int {
        // The algorithm counts years from March, so that a leap day is the last day of its year.
        let year = month > 2 ? year : year - 1
        let era = year.dividedRoundingDown(by: 400)
        let yearOfEra = year - era * 400
        let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }

    /// The day so many days later, or earlier if `days` is negative; the first or the last day if there is no such day.
    public func adding(days: Int) -> Day { Day(number: daysSince1970.addingSaturated(days)) }

    public static func < (left: Day, right: Day) -> Bool {
        (left.year, left.month, left.day) < (right.year, right.month, right.day)
    }

    /// In days since 1970-01-01.
    private static let limits = -719_162...2_932_896

    /// The day with that number since 1970-01-01; the first or the last day if there is no such day.
    init(number: Int) {
        let shifted = min(max(number, Self.limits.lowerBound), Self.limits.upperBound) + 719_468
        let era = shifted.dividedRoundingDown(by: 146_097)
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
        month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    }

    private static func days(of month: Int, in year: Int) -> Int {
        switch month {
        case 4, 6, 9, 11: 30
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        default: 31
        }
    }
}

extension Day: LosslessStringConvertible, ExpressibleByStringLiteral {
    /// A day in the form `2027-03-01`, for a declaration.
    ///
    /// Traps if the calendar has no such day.
    public init(stringLiteral text: StaticString) {
        guard let day = Day("\(text)") else { fatalError("'\(text)' is not a day") }
        self = day
    }

    /// The day in the form `2027-03-01`.
    public var description: String { "\(year.digits(4))-\(month.digits(2))-\(day.digits(2))" }
}

extension Day: ScreenValue {
    public typealias Bound = Day

    public static var valueSchema: ValueSchema {
        ValueSchema(.string, format: "date", example: "2027-03-01", of: Day.self)
    }

    public init?(screenValue: Value) {
        guard case .string(let text) = screenValue else { return nil }
        self.init(text)
    }

    public var screenValue: Value { .string(description) }
}

extension Value {
    /// The day on which clocks for tests start, 2027-03-01, or a day so many days later: for the examples of an event whose rules depend on
    /// today, as in `examples: [["day": .today(-61)]]`.
    public static func today(_ days: Int = 0) -> Value { Day(.ofTests).adding(days: days).screenValue }
}

extension Day: Codable {
    public init(from decoder: any Decoder) throws {
        self = try decoder.text("a day")
    }

    /// Encodes the text.
    public func encode(to encoder: any Encoder) throws { try description.encode(to: encoder) }
}

extension Decoder {
    /// `noun` is what the text must be, in the error.
    func text<Content: LosslessStringConvertible>(_ noun: String) throws -> Content {
        let container = try singleValueContainer()
        let text = try container.decode(String.self)
        guard let content = Content(text) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "'\(text.clipped)' is not \(noun)")
        }
        return content
    }
}

extension FixedWidthInteger {
    func dividedRoundingDown(by divisor: Self) -> Self {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? quotient - 1 : quotient
    }
}

extension Int {
    /// The digits of a number that is not negative, with zeros before it.
    func digits(_ count: Int) -> String {
        let text = String(self)
        return String(repeating: "0", count: Swift.max(0, count - text.utf8.count)) + text
    }
}
