import Foundation
import Synchronization

/// An audit log that appends each event to a file, as a line of JSON. Other programs may move or truncate the file. A moved file
/// still gets the events.
public final class AuditFile: AuditLog {
    private let file: Mutex<FileHandle>
    private let onError: @Sendable (any Error) -> Void

    /// Opens the file. If it does not exist, creates it so that only its owner can read it.
    ///
    /// - Parameters:
    ///   - path: a regular file; not a symbolic link, a device or a pipe. Its folder must exist.
    ///   - onError: is called if a line could not be written, on the thread that recorded the event.
    /// - Throws: ``AuditFileError`` if the path cannot be opened for writing, or is not a regular file.
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

    /// Appends to an open file.
    init(_ file: FileHandle, onError: @escaping @Sendable (any Error) -> Void) {
        self.file = Mutex(file)
        self.onError = onError
    }

    public func record(_ event: AuditEvent) {
        let line = Data((event.json + "\n").utf8)
        do {
            // One call of write(2) for each line keeps the lines of several processes apart.
            try file.withLock { try $0.write(contentsOf: line) }
        } catch {
            onError(error)
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
