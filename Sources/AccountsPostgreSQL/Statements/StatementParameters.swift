import AccountsDatabase

/// The parameters of one statement as libpq reads them.
struct StatementParameters {
    private var bytes: [UInt8] = []
    /// Where each parameter begins in `bytes`; `nil` for null.
    private var offsets: [Int?] = []
    private var lengths: [Int32] = []
    /// 1 for a value in libpq's binary format, 0 for a text.
    private var formats: [Int32] = []

    /// - Parameter parameters: values that `check(for:)` has accepted.
    init(_ parameters: [SQLValue]) {
        for parameter in parameters {
            let offset = bytes.count
            var isBinary = false
            switch parameter {
            case .null: break
            case .integer(let integer): bytes += "\(integer)".utf8
            case .boolean(let boolean): bytes.append(UInt8(ascii: boolean ? "t" : "f"))
            case .bytes(let value):
                isBinary = true
                bytes += value
            case .text(let text):
                isBinary = true
                bytes += text.utf8
            }
            offsets.append(parameter == .null ? nil : offset)
            lengths.append(Int32(bytes.count - offset))
            formats.append(isBinary ? 1 : 0)
            // Ends a text as in C.
            bytes.append(0)
        }
    }

    /// Calls `body` with the number, values, lengths and formats of the parameters.
    func withPointers(
        _ body: (Int32, UnsafePointer<UnsafePointer<CChar>?>?, UnsafePointer<Int32>?, UnsafePointer<Int32>?) -> Int32
    ) -> Int32 {
        bytes.withUnsafeBytes { bytes in
            let base = bytes.baseAddress?.assumingMemoryBound(to: CChar.self)
            let values = offsets.map { offset in offset.flatMap { offset in base.map { UnsafePointer($0 + offset) } } }
            return body(Int32(offsets.count), values, lengths, formats)
        }
    }
}
