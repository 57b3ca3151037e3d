import Foundation
import Synchronization

/// An audit log that appends each event to a file, as a line of JSON.
///
/// The member `previous` of each line is the SHA-256 of the line before, without its line feed, also if several processes append to the file:
/// `understudy audit verify` finds a line that was removed, changed or moved. The first line of a new file names the last one of the file
/// that it replaces.
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
    private let state: Mutex<State>
    /// Writes one record after the other.
    private let thread = AuditThread()
    private let onError: @Sendable (any Error) -> Void
    private let onReplacement: @Sendable (Replacement) -> Void

    private struct State {
        var file: FileHandle
        var end = AuditFileEnd()
        /// How long to wait for another process that has locked the file.
        var patience = AuditFile.patience
    }

    /// Other processes lock the file for less than a millisecond, unless they are stopped in between.
    package static let patience = Duration.milliseconds(500)

    /// Opens the file. If it does not exist, creates it so that only its owner can read it.
    ///
    /// - Parameters:
    ///   - path: a regular file; not a symbolic link, a device or a pipe. Its folder must exist.
    ///   - onError: is called if a line could not be written, or only without the chain, before ``record(_:)`` returns.
    ///   - onReplacement: is called if an event goes to another file than the event before, without a call of ``reopen()``.
    /// - Throws: ``AuditFileError`` if the path cannot be opened for writing, or is not a regular file.
    public convenience init(
        path: String,
        onError: @escaping @Sendable (any Error) -> Void = { _ in },
        onReplacement: @escaping @Sendable (Replacement) -> Void = { _ in }
    ) throws {
        let location = AppendedFile(path: path, mode: 0o600, isRead: true)
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
        state = Mutex(State(file: file))
        self.onError = onError
        self.onReplacement = onReplacement
    }

    /// The hash of the last line that this process knows; `nil` before the first one. Keep it elsewhere: a chain shows that lines are missing at its
    /// end, or that all lines were written again, only to a reader who knows a hash that it contained.
    public var lastHash: String? {
        state.withLock { state in
            _ = state.end.update(from: state.file.fileDescriptor)
            return state.end.last
        }
    }

    public func record(_ event: AuditEvent) async {
        await thread.run { [self] in write(event) }
    }

    /// Writes a record. Blocks the calling thread, if another process has locked the file.
    func write(_ event: AuditEvent) {
        var (replacement, failure): (Replacement?, (any Error)?)
        state.withLock { state in
            repeat {
                do {
                    replacement = try follow(&state) ?? replacement
                } catch {
                    failure = error
                    // A moved file still gets the event.
                    guard !AppendedFile.isDeleted(state.file.fileDescriptor) else { return }
                }
                do {
                    failure = try append(event, &state) ?? failure
                } catch {
                    failure = error
                    return
                }
                // A file that was deleted in the meantime has taken the line with it.
            } while location != nil && AppendedFile.isDeleted(state.file.fileDescriptor)
        }
        if let replacement { onReplacement(replacement) }
        if let failure { onError(failure) }
    }

    /// Appends a line that continues the last one.
    ///
    /// - Returns: the error if the line perhaps does not continue the last one.
    private func append(_ event: AuditEvent, _ state: inout State) throws -> (any Error)? {
        let descriptor = state.file.fileDescriptor
        let isLocked = Self.lock(descriptor, state.patience)
        // A log that has waited once does not wait again for a process that is stopped.
        state.patience = isLocked ? Self.patience : .zero
        defer { if isLocked { flock(descriptor, LOCK_UN) } }
        let isCutOff = state.end.update(from: descriptor)
        if state.end.last == nil, let location { state.end.update(fromRotated: location.path) }
        let line = event.json(after: state.end.last)
        do {
            // One call of write(2) for each line keeps the lines of several processes apart.
            try state.file.write(contentsOf: Data(((isCutOff ? "\n" : "") + line + "\n").utf8))
        } catch {
            state.end.invalidate()
            throw error
        }
        state.end.append(line, to: descriptor)
        if !isLocked { state.end.invalidate() }
        return isLocked ? nil : AuditFileError(path: location?.path ?? "", reason: AuditFileError.locked)
    }

    /// Locks a file against the other processes that append to it.
    ///
    /// - Returns: whether it is locked.
    package static func lock(_ descriptor: Int32, _ patience: Duration) -> Bool {
        let deadline = ContinuousClock.now + patience
        while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
            guard errno == EWOULDBLOCK || errno == EINTR, ContinuousClock.now < deadline else { return false }
            usleep(100)
        }
        return true
    }

    /// Opens the path again if it no longer names the open file. Call it after another program has moved the file: later events go to the
    /// file that is at the path now, or to a new one. No event is lost.
    ///
    /// - Throws: ``AuditFileError`` if the path cannot be used. The log then continues in the open file.
    public func reopen() throws {
        _ = try state.withLock { try follow(&$0) }
    }

    /// Opens the path again if it no longer names the file, and returns what has happened to the file.
    private func follow(_ state: inout State) throws -> Replacement? {
        guard let location, !location.names(state.file.fileDescriptor) else { return nil }
        let replacement: Replacement = AppendedFile.isDeleted(state.file.fileDescriptor) ? .deleted : .moved
        let file = try Self.open(location)
        // The other file continues this one, which other processes have perhaps written to.
        _ = state.end.update(from: state.file.fileDescriptor)
        state.end.invalidate()
        state.file = file
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

    static let locked = "another process has locked it, so that the chain may be broken"
    static let notRegular = "it is not a regular file; name one, or a path at which there is no file yet"

    package init(path: String, reason: String) {
        self.path = path
        self.reason = reason
    }

    /// The error for an error number of open(2).
    package init(path: String, code: Int32) {
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
