import CGnuTLS
import Glibc
import Synchronization

/// A list of leaked passwords in a file, as the downloader of Have I Been Pwned writes it: for each password a line with its SHA-1 in
/// hexadecimal, which may be followed by a colon and a count. The lines are sorted by their hashes.
///
/// The file stays on the disk, however large it is: a lookup reads a few blocks of it. The list keeps the file open. To use another file,
/// create another list.
public final class LeakedPasswords: Sendable {
    private let file: Int32
    private let size: Int
    private let onFailure: @Sendable (SettingError) -> Void
    private let hasFailed = Mutex(false)

    /// Opens the file, and checks that a sample of its lines are hashes in ascending order.
    ///
    /// - Parameters:
    ///   - path: the path of the file.
    ///   - onFailure: is called if a lookup fails because the file has become shorter, is damaged or cannot be read, and again only after
    ///     a lookup has succeeded. While lookups fail, no password counts as leaked.
    /// - Throws: ``SettingError`` if the file cannot be read, or is no such list.
    public init(path: String, onFailure: @escaping @Sendable (SettingError) -> Void) throws(SettingError) {
        // A named pipe would wait for a writer.
        file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        let reason = String(cString: strerror(errno))
        var status = stat()
        let isFile = fstat(file, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
        size = isFile ? Int(status.st_size) : 0
        self.onFailure = onFailure
        guard file >= 0 else { throw SettingError("it cannot be opened: \(reason)") }
        guard isFile else { throw SettingError("it is not a file") }
        guard size > 0 else { throw SettingError("it is empty") }
        try checkSample()
    }

    deinit {
        if file >= 0 { close(file) }
    }

    /// Whether the list contains a password, which must be in NFC.
    func contains(_ password: String) -> Bool {
        do throws(SettingError) {
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
    static func hash(_ password: String) throws(SettingError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: hashLength)
        let password = Array(password.utf8)
        guard gnutls_hash_fast(GNUTLS_DIG_SHA1, password, password.count, &bytes) == 0 else {
            throw SettingError("GnuTLS does not compute SHA-1")
        }
        return bytes
    }

    // MARK: Lines

    private static let hashLength = 20

    /// More bytes than a line of such a list has.
    private static let maximumLine = 512

    /// A line of the file: its bytes, and the hash in it.
    private struct Line {
        let range: Range<Int>
        let hash: [UInt8]
    }

    /// The first line that begins at a position or behind it; `nil` if none begins before `end`.
    private func line(from position: Int, before end: Int) throws(SettingError) -> Line? {
        let feed = UInt8(ascii: "\n")
        // A line begins at the position if the byte before it ends another one.
        let first = max(0, position - 1)
        let bytes = try read(first..<min(first + 2 * Self.maximumLine, size))
        let isLast = first + bytes.count == size
        var start = 0
        if position > 0 { start = bytes.firstIndex(of: feed).map { $0 + 1 } ?? bytes.count }
        guard first + start < end else { return nil }
        let next = bytes[start...].firstIndex(of: feed).map { $0 + 1 } ?? (isLast ? bytes.count : nil)
        let place = "the line at byte \(first + start)"
        guard let next else { throw SettingError("\(place) is too long") }
        let digits = bytes[start..<next].prefix(2 * Self.hashLength).compactMap {
            Character(Unicode.Scalar($0)).hexDigitValue
        }
        let separator = bytes[start..<next].dropFirst(2 * Self.hashLength).first
        let separators = [nil, UInt8(ascii: ":"), UInt8(ascii: "\r"), feed]
        guard digits.count == 2 * Self.hashLength, separators.contains(separator) else {
            throw SettingError("\(place) does not begin with the 40 hexadecimal digits of a SHA-1 hash")
        }
        let hash = stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
        return Line(range: first + start..<first + next, hash: hash)
    }

    private func read(_ range: Range<Int>) throws(SettingError) -> [UInt8] {
        var result = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: range.count) { memory, count in
            repeat {
                result = pread(file, memory.baseAddress, range.count, range.lowerBound)
            } while result < 0
                && errno == EINTR
            count = max(0, result)
        }
        guard result >= 0 else { throw SettingError(String(cString: strerror(errno))) }
        guard result == range.count else { throw SettingError("it has become shorter") }
        return bytes
    }

    // MARK: Search

    private func search(_ hash: [UInt8]) throws(SettingError) -> Bool {
        // Where the line with the hash can begin.
        var area = 0..<size
        while !area.isEmpty {
            let middle = area.lowerBound + area.count / 2
            if let line = try line(from: middle, before: area.upperBound), !hash.lexicographicallyPrecedes(line.hash) {
                if line.hash == hash { return true }
                area = min(line.range.upperBound, area.upperBound)..<area.upperBound
            } else {
                area = area.lowerBound..<middle
            }
        }
        return false
    }

    /// Checks the order of 65 evenly distributed lines.
    private func checkSample() throws(SettingError) {
        var previous: Line?
        for part in 0...64 {
            let position = Int(Double(size) / 65 * Double(part))
            guard let line = try line(from: position, before: size) else { continue }
            if let previous, line.hash.lexicographicallyPrecedes(previous.hash) {
                throw SettingError(
                    "it is not sorted by hash: the hash at byte \(line.range.lowerBound) is less than one before it"
                )
            }
            previous = line
        }
    }
}
