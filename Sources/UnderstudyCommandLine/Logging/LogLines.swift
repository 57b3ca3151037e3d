import Logging
import Understudy

/// Log lines as bytes. Each ends with a line feed.
struct LogLines {
    /// The lines.
    var bytes: [UInt8] = []
    private let format: LogFormat
    private var time = LogTime()

    init(_ format: LogFormat) {
        self.format = format
    }

    /// Adds the beginning of a line. Then add the metadata, and call ``end()``.
    ///
    /// - Parameter time: the line's time; the system's clock if `nil`.
    mutating func begin(_ head: LogHead, at time: (seconds: Int, milliseconds: Int)? = nil) {
        if let time {
            self.time.set(seconds: time.seconds, milliseconds: time.milliseconds)
        } else {
            self.time.update()
        }
        if format == .json { append("{\"time\":\"") }
        bytes += self.time.text(format)
        bytes += head.bytes
    }

    /// Adds the end of a line.
    mutating func end() {
        append(format == .json ? "}\n" : "\n")
    }

    /// Adds a member of swift-log's metadata.
    mutating func add(_ name: String, _ value: Logger.MetadataValue) {
        switch format {
        case .text:
            append(" ")
            append(name.escaped)
            append("=")
            appendWord("\(value)".escaped)
        case .json:
            append(",")
            append(name.json)
            append(":")
            append(value.json)
        }
    }

    /// Adds a field of the access log.
    mutating func add(_ name: StaticString, _ value: AccessLogEntry.Value) {
        append(format == .json ? ",\"" : " ")
        name.withUTF8Buffer { bytes.append(contentsOf: $0) }
        append(format == .json ? "\":" : "=")
        switch value {
        case .text(let text): add(text)
        case .ascii(let text):
            appendQuote()
            bytes += text
            appendQuote()
        case .hexadecimal(let number):
            appendQuote()
            for shift in stride(from: 28, through: 0, by: -4) {
                bytes.append(UInt8(hexadecimal: UInt8(truncatingIfNeeded: number >> UInt32(shift)) & 15))
            }
            appendQuote()
        case .number(let number): append(number)
        case .microseconds(let number):
            append(Int(number / 1000))
            // As Swift describes a `Double`: without zeros at the end, except the first digit.
            var (rest, divisor) = (Int(number % 1000), 100)
            append(".")
            repeat {
                bytes.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest / divisor))
                rest %= divisor
                divisor /= 10
            } while rest > 0
        }
    }

    private mutating func add(_ text: String) {
        guard !text.isEmpty, text.utf8.allSatisfy(\.isPlain) else {
            return format == .json ? append(text.json) : appendWord(text.escaped)
        }
        appendQuote()
        append(text)
        appendQuote()
    }

    private mutating func appendQuote() {
        if format == .json { bytes.append(UInt8(ascii: "\"")) }
    }

    private mutating func appendWord(_ text: String) {
        append(text.isEmpty || text.contains(" ") ? "'\(text)'" : text)
    }

    private mutating func append(_ text: String) {
        bytes.append(contentsOf: text.utf8)
    }

    private mutating func append(_ number: Int) {
        if number >= 10 { append(number / 10) }
        bytes.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: number % 10))
    }
}

extension UInt8 {
    /// Whether the byte is a character that neither format escapes or quotes.
    fileprivate var isPlain: Bool {
        self > 0x20 && self < 0x7F && self != UInt8(ascii: "\"") && self != UInt8(ascii: "\\")
    }

    /// The digit of a number from 0 to 15.
    fileprivate init(hexadecimal number: UInt8) {
        self = number < 10 ? UInt8(ascii: "0") + number : UInt8(ascii: "a") + number - 10
    }
}

extension Logger.MetadataValue {
    fileprivate var json: String {
        switch self {
        case .string(let text): text.json
        case .stringConvertible(let number as Int): "\(number)"
        case .stringConvertible(let number as Double) where number.isFinite: "\(number)"
        case .stringConvertible(let flag as Bool): "\(flag)"
        case .stringConvertible(let value): "\(value)".json
        case .array(let values): "[" + values.map(\.json).joined(separator: ",") + "]"
        case .dictionary(let values):
            "{" + values.sorted { $0.key < $1.key }.map { "\($0.key.json):\($0.value.json)" }.joined(separator: ",")
                + "}"
        }
    }
}
