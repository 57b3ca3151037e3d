internal import BusinessLogic
internal import CSodium
import Foundation

/// The chain of an audit log: each record contains the hash of the line before it, so that a line that is removed, changed or moved breaks it.
package struct AuditChain {
    /// What is wrong with a line.
    package enum Fault: Equatable, Sendable, CustomStringConvertible {
        /// The line is not a record.
        case malformed
        /// The line does not name the line before it.
        case broken

        package var description: String {
            switch self {
            case .malformed: "this line is not a record: it was cut off or changed"
            case .broken:
                "this record does not continue the line before: a record was removed, changed, moved or written without the chain"
            }
        }
    }

    /// The number of records that continue the line before them, including the first one.
    package private(set) var validCount = 0
    /// The hash of the last line; `nil` before the first one.
    package private(set) var last: String?

    /// A chain without lines.
    package init() {}

    /// The name of a line: its SHA-256 in hexadecimal digits, as `sha256sum` prints it.
    package static func hash(of line: some Collection<UInt8>) -> String {
        let bytes = Array(line)
        var hash = [UInt8](repeating: 0, count: Int(crypto_hash_sha256_BYTES))
        crypto_hash_sha256(&hash, bytes, UInt64(bytes.count))
        return hash.map { byte in (byte < 16 ? "0" : "") + String(byte, radix: 16) }.joined()
    }

    /// Adds the next line, without its line feed.
    ///
    /// - Returns: what is wrong with it; `nil` if it continues the chain, as the first record always does.
    package mutating func add(_ line: [UInt8]) -> Fault? {
        defer { last = Self.hash(of: line) }
        guard let record = try? JSONReader.read(line).object, record["event"]?.string != nil else { return .malformed }
        guard last == nil || record["previous"]?.string == last else { return .broken }
        validCount += 1
        return nil
    }
}

/// The end of a file with records, as far as a process knows it.
struct AuditFileEnd {
    /// The size of the file when this process has written or read its end; `nil` if it has not.
    private var size: off_t?
    /// The hash of the last line; `nil` if it is not known.
    private(set) var last: String?

    /// The number of bytes at the end of a file in which the last line is searched. Records are shorter.
    private static let window: off_t = 1 << 16

    /// Reads the last line, unless this process has written it. If the file is empty, what is known stays: the file continues another one.
    ///
    /// - Returns: whether the last line has no line feed, because it was cut off.
    mutating func update(from descriptor: Int32) -> Bool {
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return false }
        let found = status.st_size
        if found == size || found == 0 { return false }
        size = nil
        let start = max(0, found - Self.window)
        var bytes = [UInt8](repeating: 0, count: Int(found - start))
        let count = pread(descriptor, &bytes, bytes.count, start)
        guard count == bytes.count else { return false }
        let lineFeed = UInt8(ascii: "\n")
        let isCutOff = bytes.last != lineFeed
        if !isCutOff { bytes.removeLast() }
        if let end = bytes.lastIndex(of: lineFeed) {
            last = AuditChain.hash(of: bytes[(end + 1)...])
            size = isCutOff ? nil : found
        } else if start == 0 {
            last = AuditChain.hash(of: bytes)
            size = isCutOff ? nil : found
        }
        return isCutOff
    }

    /// Reads the last line of the file that was at a path before its rotation by logrotate, if it is there.
    mutating func update(fromRotated path: String) {
        let descriptor = open(path + ".1", O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard descriptor >= 0 else { return }
        _ = update(from: descriptor)
        invalidate()
        close(descriptor)
    }

    /// Records that this process has appended a line.
    mutating func append(_ line: String, to descriptor: Int32) {
        var status = stat()
        size = fstat(descriptor, &status) == 0 ? status.st_size : nil
        last = AuditChain.hash(of: line.utf8)
    }

    /// Forgets the size, because another file follows, or a line is perhaps not complete.
    mutating func invalidate() { size = nil }
}
