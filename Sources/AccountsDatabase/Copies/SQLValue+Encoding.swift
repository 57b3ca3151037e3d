internal import SQLStatements

extension SQLValue {
    /// Adds an unambiguous form of the value to `bytes`: its kind, and its content with its length.
    func encode(into bytes: inout [UInt8]) {
        switch self {
        case .null: bytes.append(0)
        case .integer(let number):
            bytes.append(1)
            Self.encode(number, into: &bytes)
        case .bytes(let content):
            bytes.append(2)
            Self.encode(Int64(content.count), into: &bytes)
            bytes += content
        case .boolean(let value): bytes += [3, value ? 1 : 0]
        }
    }

    private static func encode(_ number: Int64, into bytes: inout [UInt8]) {
        withUnsafeBytes(of: number.littleEndian) { bytes += $0 }
    }
}
