import BusinessLogic
import Logging
import Understudy

enum LogFormat: String, CaseIterable, Sendable {
    /// For people: the time of day, the level and the message.
    case text
    /// For machines: a JSON object per line.
    case json
}

struct LogStyle {
    let format: LogFormat
    /// Whether the level is coloured, as on a terminal. JSON never is.
    var hasColour = false
}

/// What lines of the same kind have in common: all that is between the time and the metadata.
struct LogHead {
    let bytes: [UInt8]

    init(_ level: Logger.Level, label: String, message: String, _ style: LogStyle) {
        let text =
            switch style.format {
            case .text: " \(style.hasColour ? level.colouredColumn : level.column) \(message.escaped)"
            case .json:
                "\",\"level\":\"\(level.rawValue)\",\"logger\":\(label.json),\"message\":\(message.json)"
            }
        bytes = Array(text.utf8)
    }
}

extension Logger.Level {
    /// The level in capital letters, as wide as the longest.
    fileprivate var column: String { rawValue.uppercased().padded(to: 8) }

    fileprivate var colouredColumn: String { "\u{1B}[\(colour)m\(column)\u{1B}[0m" }

    /// The parameter of the terminal's colour.
    private var colour: String {
        switch self {
        case .trace, .debug: "2"
        case .info, .notice: "32"
        case .warning: "33"
        case .error, .critical: "1;31"
        }
    }
}

/// Log lines as bytes. Each ends with a line feed.
struct LogLines: ~Copyable {
    var bytes = ByteBuffer()
    private let format: LogFormat
    private var time = LogTime()

    init(_ format: LogFormat) {
        self.format = format
    }

    /// An error as a line of JSON.
    static func error(_ message: String) -> String {
        var lines = LogLines(.json)
        lines.begin(LogHead(.error, label: "understudy", message: message, LogStyle(format: .json)))
        lines.end()
        return String(decoding: lines.bytes.bytes, as: UTF8.self)
    }

    /// Adds the beginning of a line. Then add the metadata, and call ``end()``.
    mutating func begin(_ head: LogHead, at time: Timestamp = SystemClock().now) {
        self.time.set(time)
        if format == .json { bytes.append("{\"time\":\"" as StaticString) }
        bytes.append(self.time.text(format))
        bytes.append(head.bytes)
    }

    mutating func end() { bytes.append(format == .json ? "}\n" : "\n" as StaticString) }

    /// Adds a member of swift-log's metadata.
    mutating func add(_ name: String, _ value: Logger.MetadataValue) {
        switch format {
        case .text: bytes.append(" \(name.escaped)=\("\(value)".logWord)")
        case .json: bytes.append(",\(name.json):\(value.json)")
        }
    }
}

extension LogLines: AccessLogFields {
    mutating func add(_ name: StaticString, text: String) {
        let isContiguous: Void? = text.utf8.withContiguousStorageIfAvailable { bytes in
            bytes.isPlain ? add(name, plain: bytes) : addEscaped(name, text)
        }
        if isContiguous == nil { addEscaped(name, text) }
    }

    mutating func add(_ name: StaticString, plain: String) {
        // `withUTF8` would copy the string.
        let isContiguous: Void? = plain.utf8.withContiguousStorageIfAvailable { add(name, plain: $0) }
        if isContiguous == nil { addEscaped(name, plain) }
    }

    mutating func add(_ name: StaticString, hexadecimal: UInt32) {
        withUnsafeBytes(of: hexadecimal.hexadecimalDigits) { digits in
            digits.withMemoryRebound(to: UInt8.self) { add(name, plain: $0) }
        }
    }

    mutating func add(_ name: StaticString, number: Int) {
        var end = bytes.end(reserving: name.utf8CodeUnitCount + Self.punctuation + Self.digits)
        end.put(name: name, format)
        end.put(UInt(clamping: number))
        bytes.end = end
    }

    mutating func add(_ name: StaticString, microseconds: Int64) {
        let (milliseconds, fraction) = UInt(clamping: microseconds).quotientAndRemainder(dividingBy: 1000)
        var end = bytes.end(reserving: name.utf8CodeUnitCount + Self.punctuation + Self.digits + 4)
        end.put(name: name, format)
        end.put(milliseconds)
        end.put(UInt8(ascii: "."))
        // As Swift describes a `Double`: without zeros at the end, except the first digit.
        var (rest, divisor): (UInt, UInt) = (fraction, 100)
        repeat {
            end.put(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest / divisor))
            (rest, divisor) = (rest % divisor, divisor / 10)
        } while rest > 0
        bytes.end = end
    }

    // In one step, because a line has about ten of them.
    private mutating func add(_ name: StaticString, plain: UnsafeBufferPointer<UInt8>) {
        var end = bytes.end(reserving: name.utf8CodeUnitCount + plain.count + Self.punctuation)
        end.put(name: name, format)
        if format == .json { end.put(UInt8(ascii: "\"")) }
        end.put(plain)
        if format == .json { end.put(UInt8(ascii: "\"")) }
        bytes.end = end
    }

    private mutating func addEscaped(_ name: StaticString, _ text: String) {
        var end = bytes.end(reserving: name.utf8CodeUnitCount + Self.punctuation)
        end.put(name: name, format)
        bytes.end = end
        bytes.append(format == .json ? text.json : text.logWord)
    }

    /// The maximum number of bytes before, between and behind a name and its value.
    private static let punctuation = 6

    /// The maximum number of digits of a number.
    private static let digits = 20
}

extension UnsafeMutablePointer<UInt8> {
    /// Writes a number in decimal digits.
    fileprivate mutating func put(_ number: UInt) {
        var (rest, digits) = (number, 1)
        while rest >= 10 { (rest, digits) = (rest / 10, digits &+ 1) }
        self += digits
        rest = number
        for distance in 1...digits {
            (self - distance).pointee = UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: rest % 10)
            rest /= 10
        }
    }

    /// Writes what separates a field from the one before, and its name.
    fileprivate mutating func put(name: StaticString, _ format: LogFormat) {
        let text = UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount)
        switch format {
        case .text:
            put(UInt8(ascii: " "))
            put(text)
            put(UInt8(ascii: "="))
        case .json:
            put(UInt8(ascii: ","))
            put(UInt8(ascii: "\""))
            put(text)
            put(UInt8(ascii: "\""))
            put(UInt8(ascii: ":"))
        }
    }
}

extension UnsafeBufferPointer<UInt8> {
    /// Whether there are bytes, and each is plain.
    fileprivate var isPlain: Bool {
        guard let start = baseAddress, !isEmpty else { return false }
        var index = 0
        while index < count, count >= 8 {
            // Eight bytes at once, of which some may have been checked.
            let offset = Swift.min(index, count - 8)
            guard UnsafeRawPointer(start + offset).loadUnaligned(as: UInt64.self).isPlainWord else { return false }
            index = offset + 8
        }
        while index < count {
            guard start[index].isPlain else { return false }
            index += 1
        }
        return true
    }
}

extension UInt8 {
    /// Whether the byte is a printable ASCII character except space, quotation marks and backslash.
    fileprivate var isPlain: Bool {
        self > 0x20 && self < 0x7F && self != UInt8(ascii: "\"") && self != UInt8(ascii: "'")
            && self != UInt8(ascii: "\\")
    }
}

extension UInt64 {
    fileprivate var isPlainWord: Bool {
        let others =
            nonASCIIBytes | bytes(below: 0x21) | bytes(equalTo: UInt8(ascii: "\""))
            | bytes(equalTo: UInt8(ascii: "'")) | bytes(equalTo: UInt8(ascii: "\\")) | bytes(equalTo: 0x7F)
        return others == 0
    }
}

extension UInt32 {
    /// The eight hexadecimal digits, of which the first is the lowest byte.
    fileprivate var hexadecimalDigits: UInt64 {
        // One digit in each byte.
        var digits = UInt64(self)
        digits = (digits | digits << 16) & 0x0000_FFFF_0000_FFFF
        digits = (digits | digits << 8) & 0x00FF_00FF_00FF_00FF
        digits = (digits | digits << 4) & 0x0F0F_0F0F_0F0F_0F0F
        let ones: UInt64 = 0x0101_0101_0101_0101
        let letters = (digits &+ 6 &* ones) >> 4 & ones
        let distance = UInt64(UInt8(ascii: "a") - UInt8(ascii: "0") - 10)
        return (digits &+ UInt64(UInt8(ascii: "0")) &* ones &+ letters &* distance).byteSwapped
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
