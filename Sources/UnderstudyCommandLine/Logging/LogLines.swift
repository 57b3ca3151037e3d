import Logging
import Understudy

/// Log lines as bytes. Each ends with a line feed.
struct LogLines: ~Copyable {
    /// The lines.
    var bytes = ByteBuffer()
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
        if format == .json { bytes.append("{\"time\":\"" as StaticString) }
        bytes.append(self.time.text(format))
        bytes.append(head.bytes)
    }

    /// Adds the end of a line.
    mutating func end() {
        bytes.append(format == .json ? "}\n" : "\n" as StaticString)
    }

    /// Adds a member of swift-log's metadata.
    mutating func add(_ name: String, _ value: Logger.MetadataValue) {
        switch format {
        case .text: bytes.append(" \(name.escaped)=\("\(value)".escaped.quoted)")
        case .json: bytes.append(",\(name.json):\(value.json)")
        }
    }
}

extension LogLines: AccessLogFields {
    mutating func add(_ name: StaticString, text: String) {
        let isPlain = !text.isEmpty && text.utf8.withContiguousStorageIfAvailable { $0.allSatisfy(\.isPlain) } == true
        if isPlain { return add(name, plain: text) }
        appendName(name)
        bytes.append(format == .json ? text.json : text.escaped.quoted)
    }

    mutating func add(_ name: StaticString, plain: String) {
        appendName(name)
        appendQuote()
        bytes.append(plain)
        appendQuote()
    }

    mutating func add(_ name: StaticString, plain: ArraySlice<UInt8>) {
        appendName(name)
        appendQuote()
        bytes.append(plain)
        appendQuote()
    }

    mutating func add(_ name: StaticString, hexadecimal: UInt32) {
        appendName(name)
        appendQuote()
        for shift in stride(from: UInt32(28), through: 0, by: -4) {
            let digit = UInt8(truncatingIfNeeded: hexadecimal >> shift) & 15
            bytes.append(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") - 10 + digit)
        }
        appendQuote()
    }

    mutating func add(_ name: StaticString, number: Int) {
        appendName(name)
        append(number)
    }

    mutating func add(_ name: StaticString, microseconds: Int64) {
        appendName(name)
        append(Int(microseconds / 1000))
        bytes.append(UInt8(ascii: "."))
        // As Swift describes a `Double`: without zeros at the end, except the first digit.
        var (rest, divisor) = (Int(microseconds % 1000), 100)
        repeat {
            bytes.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest / divisor))
            (rest, divisor) = (rest % divisor, divisor / 10)
        } while rest > 0
    }

    private mutating func appendName(_ name: StaticString) {
        bytes.append(format == .json ? ",\"" : " " as StaticString)
        bytes.append(name)
        bytes.append(format == .json ? "\":" : "=" as StaticString)
    }

    private mutating func appendQuote() {
        if format == .json { bytes.append(UInt8(ascii: "\"")) }
    }

    private mutating func append(_ number: Int) {
        if number >= 10 { append(number / 10) }
        bytes.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: number % 10))
    }
}

extension UInt8 {
    /// Whether the byte is a printable ASCII character except space, quotation mark and backslash.
    fileprivate var isPlain: Bool {
        self > 0x20 && self < 0x7F && self != UInt8(ascii: "\"") && self != UInt8(ascii: "\\")
    }
}

extension String {
    /// The text as one word: in single quotes if it is empty or contains a space.
    fileprivate var quoted: String { isEmpty || contains(" ") ? "'\(self)'" : self }
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
