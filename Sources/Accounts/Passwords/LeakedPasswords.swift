internal import CGnuTLS
import Glibc
internal import Synchronization

/// A list of leaked passwords in a file, as the downloader of Have I Been Pwned writes it: for each password a line with its SHA-1 in
/// hexadecimal, which may be followed by a colon and a count. The lines are sorted by their hashes.
///
/// The file stays on the disk, however large it is: a lookup reads a few blocks of it. The list keeps the file open. To use another file,
/// create another list.
public final class LeakedPasswords: Sendable {
    private let file: Int32
    private let size: Int
    private let onFailure: @Sendable (LeakedPasswordsError) -> Void
    /// Whether the last lookup failed.
    private let hasFailed = Mutex(false)

    /// Opens the file, and checks that a sample of its lines are hashes in ascending order.
    ///
    /// - Parameters:
    ///   - path: the path of the file.
    ///   - onFailure: is called if a lookup fails because the file has become shorter, is damaged or cannot be read, and again only after
    ///     a lookup has succeeded. While lookups fail, no password counts as leaked.
    /// - Throws: ``LeakedPasswordsError`` if the file cannot be read, or is no such list.
    public init(
        path: String,
        onFailure: @escaping @Sendable (LeakedPasswordsError) -> Void
    ) throws(LeakedPasswordsError) {
        // A named pipe would wait for a writer.
        file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        let reason = String(cString: strerror(errno))
        var status = stat()
        let isFile = fstat(file, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
        size = isFile ? Int(status.st_size) : 0
        self.onFailure = onFailure
        guard file >= 0 else { throw LeakedPasswordsError(description: "it cannot be opened: \(reason)") }
        guard isFile else { throw LeakedPasswordsError(description: "it is not a file") }
        guard size > 0 else { throw LeakedPasswordsError(description: "it is empty") }
        try checkSample()
    }

    deinit {
        if file >= 0 { close(file) }
    }

    /// Whether the list contains a password, which must be in NFC.
    func contains(_ password: String) -> Bool {
        do throws(LeakedPasswordsError) {
            let result = try search(Self.hash(password))
            hasFailed.withLock { $0 = false }
            return result
        } catch {
            let isFirst = hasFailed.withLock { hasFailed in
                defer { hasFailed = true }
                return !hasFailed
            }
            if isFirst { onFailure(error) }
            return false
        }
    }

    /// The SHA-1 of a password. Internal for tests.
    static func hash(_ password: String) throws(LeakedPasswordsError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: hashLength)
        let password = Array(password.utf8)
        guard gnutls_hash_fast(GNUTLS_DIG_SHA1, password, password.count, &bytes) == 0 else {
            throw LeakedPasswordsError(description: "GnuTLS does not compute SHA-1")
        }
        return bytes
    }

    // MARK: Lines

    /// The number of bytes of a SHA-1.
    private static let hashLength = 20

    /// The hash in a line of the file, and the bytes of the line.
    private struct Line {
        let range: Range<Int>
        let hash: [UInt8]

        init(_ text: ArraySlice<UInt8>, at range: Range<Int>) throws(LeakedPasswordsError) {
            let digits = text.prefix(2 * hashLength).compactMap { Character(Unicode.Scalar($0)).hexDigitValue }
            let separator = text.dropFirst(2 * hashLength).first
            guard digits.count == 2 * hashLength, [nil, UInt8(ascii: ":"), UInt8(ascii: "\r")].contains(separator)
            else {
                throw LeakedPasswordsError(
                    description:
                        "the line at byte \(range.lowerBound) does not begin with the 40 hexadecimal digits of a SHA-1 hash"
                )
            }
            self.range = range
            hash = (0..<hashLength).map { UInt8(digits[2 * $0] << 4 | digits[2 * $0 + 1]) }
        }
    }

    private static let blockSize = 4096

    /// Reads the lines that are completely in a block of the file.
    ///
    /// - Parameter area: the bytes from which to read. It ends at the end of a line.
    /// - Returns: at least one line.
    private func lines(around position: Int, in area: Range<Int>) throws(LeakedPasswordsError) -> [Line] {
        let start = max(area.lowerBound, position - Self.blockSize / 2)
        let bytes = try read(start..<min(start + Self.blockSize, area.upperBound))
        let endsWithLine = start + bytes.count == area.upperBound
        var lines: [Line] = []
        var next = 0
        // The block can begin within a line.
        var isComplete = start == area.lowerBound
        while next < bytes.count {
            let end = bytes[next...].firstIndex(of: UInt8(ascii: "\n"))
            guard end != nil || endsWithLine else { break }
            let after = end.map { $0 + 1 } ?? bytes.count
            if isComplete { lines.append(try Line(bytes[next..<(end ?? after)], at: start + next..<start + after)) }
            isComplete = true
            next = after
        }
        guard !lines.isEmpty else {
            throw LeakedPasswordsError(description: "the line at byte \(start) is too long")
        }
        return lines
    }

    private func read(_ range: Range<Int>) throws(LeakedPasswordsError) -> [UInt8] {
        var result = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: range.count) { memory, count in
            repeat {
                result = pread(file, memory.baseAddress, range.count, range.lowerBound)
            } while result < 0
                && errno == EINTR
            count = max(0, result)
        }
        guard result >= 0 else { throw LeakedPasswordsError(description: String(cString: strerror(errno))) }
        guard result == range.count else { throw LeakedPasswordsError(description: "it has become shorter") }
        return bytes
    }

    // MARK: Search

    private func search(_ hash: [UInt8]) throws(LeakedPasswordsError) -> Bool {
        var area = 0..<size
        while !area.isEmpty {
            let lines = try lines(around: area.lowerBound + area.count / 2, in: area)
            if hash.lexicographicallyPrecedes(lines[0].hash) {
                area = area.lowerBound..<lines[0].range.lowerBound
            } else if let last = lines.last, last.hash.lexicographicallyPrecedes(hash) {
                area = last.range.upperBound..<area.upperBound
            } else {
                return lines.contains { $0.hash == hash }
            }
        }
        return false
    }

    /// Checks the order of the lines in 65 evenly distributed blocks.
    private func checkSample() throws(LeakedPasswordsError) {
        var previous: Line?
        for part in 0...64 {
            for line in try lines(around: min(size / 64 * part, size - 1), in: 0..<size) {
                if let previous, line.range.lowerBound > previous.range.lowerBound,
                    line.hash.lexicographicallyPrecedes(previous.hash)
                {
                    throw LeakedPasswordsError(
                        description:
                            "it is not sorted by hash: the hash at byte \(line.range.lowerBound) is less than one before it"
                    )
                }
                previous = line
            }
        }
    }
}

/// Why a ``LeakedPasswords`` list cannot be used.
public struct LeakedPasswordsError: Error, Equatable, Sendable, CustomStringConvertible {
    /// What is wrong with the file, in a sentence that begins after its name.
    public let description: String
}
