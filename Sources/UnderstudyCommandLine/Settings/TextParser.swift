import ArgumentParser
import BusinessLogic
import RateLimiting
import Understudy

/// Reads the text of a setting or of an option.
struct TextParser<Value: Sendable>: Sendable {
    /// The form of a text, for a sentence that begins with "expected": `COUNT/TIME, such as 30/10m`. It may be empty.
    let expectedForm: String
    private let read: @Sendable (String) throws -> Value?

    /// - Parameter read: returns `nil` for a text of another form. Its error is the reason why an entry of a list is invalid.
    init(_ expectedForm: String = "", _ read: @escaping @Sendable (String) throws -> Value?) {
        self.expectedForm = expectedForm
        self.read = read
    }

    /// - Throws: `ValidationError`, which describes the expected form; the error of a list.
    func parse(_ text: String) throws -> Value {
        if let value = try read(text) { return value }
        throw ValidationError(expectedForm.isEmpty ? "" : "expected \(expectedForm)")
    }

    /// A parser of the same texts whose values are optional.
    var optional: TextParser<Value?> { TextParser<Value?>(expectedForm) { [read] in try read($0).map(Optional.some) } }

    /// A parser of the same texts, and of `off`, whose value is `nil`.
    var orOff: TextParser<Value?> {
        TextParser<Value?>("\(expectedForm), or off") { [read] text in
            text.lowercased() == "off" ? .some(nil) : try read(text).map(Optional.some)
        }
    }
}

extension TextParser where Value: AdditiveArithmetic {
    /// A parser of the same texts, except those that mean 0.
    var nonZero: TextParser {
        TextParser("\(expectedForm), and not 0") { [read] in try read($0).flatMap { $0 == .zero ? nil : $0 } }
    }
}

extension TextParser<String> {
    static var text: TextParser { TextParser { $0 } }
}

extension TextParser<UInt16> {
    static var port: TextParser { TextParser("a port from 0 to 65535") { UInt16($0) } }
}

extension TextParser<Int> {
    static var number: TextParser { TextParser("a whole number") { Int($0) } }

    /// A whole number from 1 to 100,000,000.
    static var count: TextParser {
        TextParser("a whole number from 1 to 100000000") { text in
            Int(text).flatMap { 1...100_000_000 ~= $0 ? $0 : nil }
        }
    }

    /// A number of bytes as a person writes it: `65536`, `64KiB`, `1MiB`, `2GiB`. At most 1,073,741,824 units.
    static var bytes: TextParser {
        TextParser("a number of bytes, or one with KiB, MiB or GiB, such as 64KiB") { text in
            let digits = text.prefix { $0.isASCII && $0.isNumber }
            guard let number = Int(digits), number <= 1 << 30 else { return nil }
            return switch text[digits.endIndex...].lowercased() {
            case "", "b": number
            case "k", "kib": number << 10
            case "m", "mib": number << 20
            case "g", "gib": number << 30
            default: nil
            }
        }
    }
}

extension TextParser<Bool> {
    /// A switch in the environment or a file: `on`, `true`, `yes` or `1`; `off`, `false`, `no` or `0`.
    static var onOff: TextParser {
        TextParser("on or off") { text in
            switch text.lowercased() {
            case "1", "true", "yes", "on": true
            case "0", "false", "no", "off": false
            default: nil
            }
        }
    }
}

extension TextParser<UInt32> {
    /// The permissions of a file as chmod takes them: `0660`.
    static var fileMode: TextParser {
        TextParser("permissions in octal digits from 000 to 0777, such as 0660") { text in
            text.wholeMatch(of: /0?[0-7]{3}/) == nil ? nil : UInt32(text, radix: 8)
        }
    }
}

extension TextParser<Duration> {
    /// A duration as a person writes it: `90s`, `30m`, `12h`, `7d`, `250ms`. At most 1,000,000,000 units. Only `0` needs no unit.
    static var duration: TextParser { TextParser(Duration.writtenForm) { Duration(written: $0) } }
}

extension TextParser<Rate> {
    /// A rate limit as a person writes it: `30/10m` is 30 times in 10 minutes.
    static var rate: TextParser {
        TextParser("COUNT/TIME, such as 30/10m (1000000/1s is no limit)") { text in
            let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false).map { String($0) }
            guard parts.count == 2, let count = try? TextParser<Int>.count.parse(parts[0]),
                let interval = try? TextParser<Duration>.duration.parse(parts[1]), interval > .zero
            else { return nil }
            return Rate(count, per: interval)
        }
    }
}

extension TextParser where Value: CaseIterable & RawRepresentable<String> {
    /// The words of an enumeration.
    static var choice: TextParser {
        let words = Value.allCases.map(\.rawValue)
        return TextParser("\(words.dropLast().joined(separator: ", ")) or \(words.last ?? "")") { Value(rawValue: $0) }
    }
}

/// A time as a person writes it, which may depend on the present one.
struct PointInTime: Sendable {
    let timestamp: @Sendable (_ now: Timestamp) -> Timestamp
}

extension TextParser<PointInTime> {
    /// A day in UTC (`2026-01-31`), a time with its offset (`2026-01-31T09:30:00Z`), or a duration with its unit before now (`90d`).
    static var pointInTime: TextParser {
        let form = "a day such as 2026-01-31, a time such as 2026-01-31T09:30:00Z, or a duration before now such as 90d"
        return TextParser(form) { text in
            if let time = Timestamp(text) ?? Timestamp(text + "T00:00:00Z") { return PointInTime { _ in time } }
            // A person who writes 2026 means the year.
            guard let duration = try? TextParser<Duration>.duration.parse(text) else { return nil }
            return PointInTime { $0 - duration }
        }
    }
}
