internal import AccountsDatabase

/// The parameters of one statement as libpq reads them. A connection's thread reuses the memory for each statement.
struct ParameterBuffer {
    /// libpq's names for the two formats.
    private enum Format {
        static let text: Int32 = 0
        static let binary: Int32 = 1
    }

    /// How many bytes the buffer keeps after a statement.
    private static let keptCapacity = 1 << 20

    private var bytes: [UInt8] = []
    /// Where each parameter begins in `bytes`; -1 for null.
    private var offsets: [Int] = []
    private var lengths: [Int32] = []
    private var formats: [Int32] = []
    private var pointers: [UnsafePointer<CChar>?] = []

    /// Replaces the content with parameters that `check(for:)` has accepted.
    mutating func encode(_ parameters: [SQLValue]) {
        clear()
        for parameter in parameters {
            let offset = bytes.count
            var format = Format.text
            var isNull = false
            switch parameter {
            case .null: isNull = true
            case .integer(let integer): append(decimal: integer)
            case .boolean(let boolean): bytes.append(UInt8(ascii: boolean ? "t" : "f"))
            case .bytes(let value):
                format = Format.binary
                bytes.append(contentsOf: value)
            case .text(let text):
                format = Format.binary
                bytes.append(contentsOf: text.utf8)
            }
            lengths.append(Int32(bytes.count - offset))
            formats.append(format)
            offsets.append(isNull ? -1 : offset)
            // Ends a text as in C.
            bytes.append(0)
        }
    }

    /// Calls `body` with the number, values, lengths and formats of the parameters.
    mutating func withParameters(
        _ body: (Int32, UnsafePointer<UnsafePointer<CChar>?>?, UnsafePointer<Int32>?, UnsafePointer<Int32>?) -> Int32
    ) -> Int32 {
        bytes.withUnsafeBytes { bytes in
            let base = bytes.baseAddress?.assumingMemoryBound(to: CChar.self)
            for offset in offsets { pointers.append(offset < 0 ? nil : base.map { $0 + offset }) }
            return body(Int32(offsets.count), pointers, lengths, formats)
        }
    }

    private mutating func clear() {
        bytes.removeAll(keepingCapacity: bytes.capacity <= Self.keptCapacity)
        offsets.removeAll(keepingCapacity: true)
        lengths.removeAll(keepingCapacity: true)
        formats.removeAll(keepingCapacity: true)
        pointers.removeAll(keepingCapacity: true)
    }

    /// Appends the digits without a `String`, which would allocate memory for more than 15.
    private mutating func append(decimal integer: Int64) {
        var rest = integer.magnitude
        let start = bytes.count
        repeat {
            bytes.append(UInt8(ascii: "0") + UInt8(rest % 10))
            rest /= 10
        } while rest > 0
        if integer < 0 { bytes.append(UInt8(ascii: "-")) }
        bytes[start...].reverse()
    }
}
