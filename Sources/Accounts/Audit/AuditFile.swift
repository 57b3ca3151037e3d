public import BusinessLogic
import Foundation
import Synchronization

/// Something that an operator may have to account for: who did what to which account, and from where. It holds no secret,
/// and no name that somebody typed: people type passwords there.
public struct AuditEvent: Equatable, Sendable {
    /// What can happen.
    public enum Kind: String, Sendable, CaseIterable {
        /// An account was created.
        case signup
        /// An account was added by an operator.
        case accountAdded
        /// Somebody signed up with an email address that has an account. Its owner may want to know.
        case signupOfExisting
        /// Somebody logged in.
        case login
        /// Somebody could not log in; the reason says why.
        case loginFailed
        /// Somebody logged out.
        case logout
        /// An account was changed; the reason says what of it.
        case accountChanged
        /// An account was deleted.
        case accountDeleted
    }

    /// What happened.
    public let kind: Kind
    /// When.
    public let time: Timestamp
    /// The account, where there is one.
    public let account: AccountID?
    /// Why, or what of it: `wrongPassword`, `throttled`, `userID`.
    public let reason: String?
    /// Where it came from: an IP address, or `nil` for the command line.
    public let address: String?
    /// The request's name in other logs.
    public let requestID: String?

    /// An event.
    public init(
        _ kind: Kind,
        at time: Timestamp,
        account: AccountID? = nil,
        reason: String? = nil,
        client: ClientContext = ClientContext()
    ) {
        self.kind = kind
        self.time = time
        self.account = account
        self.reason = reason
        address = client.address
        requestID = client.requestID
    }

    /// The event as one JSON object, without a line end.
    public var json: String {
        var members: [(String, String?)] = [("time", time.text), ("event", kind.rawValue)]
        members += [("account", account?.text), ("reason", reason), ("address", address), ("requestID", requestID)]
        // None of these holds anything that JSON would have to escape, but for what a client can call its request, which
        // is letters, digits, '.', '_' and '-'.
        return "{" + members.compactMap { name, value in value.map { "\"\(name)\":\"\($0)\"" } }.joined(separator: ",")
            + "}"
    }
}

/// Keeps a record of what happens to accounts. Used from any number of tasks at once.
public protocol AuditLog: Sendable {
    /// Keeps the event. Does not wait for a disk.
    func record(_ event: AuditEvent)
}

/// Keeps nothing.
public struct NoAuditLog: AuditLog {
    /// A log that keeps nothing.
    public init() {}

    public func record(_ event: AuditEvent) {}
}

/// Appends each event as a line of JSON to a file, which other programs may move away and truncate meanwhile.
public final class AuditFile: AuditLog {
    private let file: Mutex<FileHandle>
    private let onError: @Sendable (any Error) -> Void

    /// Opens the file. If it does not exist, creates it so that only its owner can read it.
    ///
    /// - Parameters:
    ///   - path: a regular file; not a symbolic link, a device or a pipe. Its folder must exist.
    ///   - onError: is called if a line could not be written, on the thread that recorded the event.
    /// - Throws: ``AuditFileError`` if it cannot be opened for writing, or is not a regular file.
    public convenience init(path: String, onError: @escaping @Sendable (any Error) -> Void = { _ in }) throws {
        // Without O_NONBLOCK, opening a pipe would wait for a reader.
        let flags = O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK
        let descriptor = open(path, flags, 0o600)
        guard descriptor >= 0 else { throw AuditFileError(path: path, code: errno) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            close(descriptor)
            throw AuditFileError(path: path, reason: AuditFileError.notRegular)
        }
        self.init(FileHandle(fileDescriptor: descriptor, closeOnDealloc: true), onError: onError)
    }

    /// Appends to a file that is open.
    init(_ file: FileHandle, onError: @escaping @Sendable (any Error) -> Void) {
        self.file = Mutex(file)
        self.onError = onError
    }

    public func record(_ event: AuditEvent) {
        let line = Data((event.json + "\n").utf8)
        do {
            // One call of write(2) a line, so that lines of several processes do not mix.
            try file.withLock { try $0.write(contentsOf: line) }
        } catch {
            onError(error)
        }
    }
}

/// Why an audit log cannot be opened.
public struct AuditFileError: Error, CustomStringConvertible {
    /// The file.
    public let path: String
    /// Why not.
    public let reason: String

    static let notRegular = "it is not a regular file; name one, or a path at which there is no file yet"

    init(path: String, reason: String) {
        self.path = path
        self.reason = reason
    }

    /// The error for an error number of open(2).
    init(path: String, code: Int32) {
        let reason =
            switch code {
            case ELOOP: "it is a symbolic link; name the file itself"
            case ENXIO: Self.notRegular
            default: String(cString: strerror(code))
            }
        self.init(path: path, reason: reason)
    }

    public var description: String { "cannot write the audit log '\(path)': \(reason)" }
}

extension Timestamp {
    /// The time in UTC, to the millisecond (RFC 3339).
    package var text: String {
        let (seconds, rest) = milliseconds.quotientAndRemainder(dividingBy: 1000)
        let second = Date(timeIntervalSince1970: Double(seconds)).formatted(.iso8601).dropLast()
        return "\(second).\(String(rest + 1000).dropFirst())Z"
    }
}
