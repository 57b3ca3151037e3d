import Foundation
import Synchronization

/// An audit log that appends each event to a file, as a line of JSON.
///
/// Other programs may move, truncate or delete the file. The next event then goes to the file that is at the path now, or to a new one.
public final class AuditFile: AuditLog {
    /// Why the log continues in another file.
    public enum Replacement: Sendable {
        /// The file was moved. It keeps its events.
        case moved
        /// The file was deleted with its events.
        case deleted
    }

    /// Where to open the file again; `nil` if it is not known.
    private let location: AppendedFile?
    private let file: Mutex<FileHandle>
    private let onError: @Sendable (any Error) -> Void
    private let onReplacement: @Sendable (Replacement) -> Void

    /// Opens the file. If it does not exist, creates it so that only its owner can read it.
    ///
    /// - Parameters:
    ///   - path: a regular file; not a symbolic link, a device or a pipe. Its folder must exist.
    ///   - onError: is called if a line could not be written, on the thread that recorded the event.
    ///   - onReplacement: is called if an event goes to another file than the event before, without a call of ``reopen()``, on the thread
    ///     that recorded the event.
    /// - Throws: ``AuditFileError`` if the path cannot be opened for writing, or is not a regular file.
    public convenience init(
        path: String,
        onError: @escaping @Sendable (any Error) -> Void = { _ in },
        onReplacement: @escaping @Sendable (Replacement) -> Void = { _ in }
    ) throws {
        let location = AppendedFile(path: path, mode: 0o600)
        self.init(try Self.open(location), at: location, onError: onError, onReplacement: onReplacement)
    }

    /// Appends to an open file.
    init(
        _ file: FileHandle,
        at location: AppendedFile? = nil,
        onError: @escaping @Sendable (any Error) -> Void,
        onReplacement: @escaping @Sendable (Replacement) -> Void = { _ in }
    ) {
        self.location = location
        self.file = Mutex(file)
        self.onError = onError
        self.onReplacement = onReplacement
    }

    public func record(_ event: AuditEvent) {
        let line = Data((event.json + "\n").utf8)
        var (replacement, failure): (Replacement?, (any Error)?)
        file.withLock { file in
            repeat {
                do {
                    replacement = try follow(&file) ?? replacement
                } catch {
                    failure = error
                    // A moved file still gets the event.
                    guard !AppendedFile.isDeleted(file.fileDescriptor) else { return }
                }
                do {
                    // One call of write(2) for each line keeps the lines of several processes apart.
                    try file.write(contentsOf: line)
                } catch {
                    failure = error
                    return
                }
                // A file that was deleted in the meantime has taken the line with it.
            } while location != nil && AppendedFile.isDeleted(file.fileDescriptor)
        }
        if let replacement { onReplacement(replacement) }
        if let failure { onError(failure) }
    }

    /// Opens the path again if it no longer names the open file. Call it after another program has moved the file: later events go to the
    /// file that is at the path now, or to a new one. No event is lost.
    ///
    /// - Throws: ``AuditFileError`` if the path cannot be used. The log then continues in the open file.
    public func reopen() throws {
        _ = try file.withLock { try follow(&$0) }
    }

    /// Opens the path again if it no longer names the file, and returns what has happened to the file.
    private func follow(_ file: inout FileHandle) throws -> Replacement? {
        guard let location, !location.names(file.fileDescriptor) else { return nil }
        let replacement: Replacement = AppendedFile.isDeleted(file.fileDescriptor) ? .deleted : .moved
        file = try Self.open(location)
        return replacement
    }

    private static func open(_ location: AppendedFile) throws(AuditFileError) -> FileHandle {
        do throws(AppendedFile.Failure) {
            return FileHandle(fileDescriptor: try location.open(), closeOnDealloc: true)
        } catch {
            switch error {
            case .notRegular: throw AuditFileError(path: location.path, reason: AuditFileError.notRegular)
            case .system(let code): throw AuditFileError(path: location.path, code: code)
            }
        }
    }
}

/// The error for an audit log that cannot be opened.
public struct AuditFileError: Error, CustomStringConvertible {
    let path: String
    let reason: String

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
