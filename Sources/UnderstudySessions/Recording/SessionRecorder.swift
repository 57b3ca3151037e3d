package import BusinessLogic
import Glibc
package import Logging
package import UnderstudyPages

/// Records a session to a file, or in memory. Use it only while holding the session's lock.
package final class SessionRecorder {
    /// The results of the session's collaborators.
    let log = CollaboratorLog(isReplaying: false)

    /// The folder for the file; `nil` to record in memory.
    private let folder: RecordingFolder?
    private let name: String
    private let recording: Recording
    private let logger: Logger
    /// The file; `nil` before the first event.
    private var path: String?
    private var size = 0
    /// The recording in memory.
    private var kept: [UInt8] = []
    /// Whether recording has stopped, because a recording with a gap cannot be replayed.
    private var hasStopped = false

    /// The maximum size in bytes.
    private var limit: Int { folder == nil ? 1 << 20 : 16 << 20 }

    package init(_ name: String, in folder: RecordingFolder?, version: String, at now: Timestamp, logger: Logger) {
        self.folder = folder
        self.logger = logger
        self.name = name
        recording = Recording(
            understudy: version,
            started: now,
            isRedacted: folder?.isRedacted ?? false
        )
    }

    /// Records an event that has been handled.
    package func record(
        _ event: Event,
        on page: Page,
        values: Value.Object,
        commands: ArraySlice<CommandHistory.Entry>,
        failure: (any Error)? = nil
    ) {
        var kept: Value.Object = [:]
        var erased: [String] = []
        for (name, value) in values {
            if let field = page.field(name), field.isSecret {
                if let value = field.recordedValue(value) { kept.append(name, value) } else { erased.append(name) }
            } else {
                kept.append(name, value)
            }
        }
        let event = Recording.Event(
            page: page.name,
            event: event,
            values: kept,
            erased: erased,
            results: log.take(),
            commands: commands.map(\.command),
            failure: failure.map(CollaboratorFailure.init)
        )
        append((recording.isRedacted ? event.redacted : event).json)
    }

    /// Discards the collaborators' results for an event that is not recorded.
    package func discardResults() {
        _ = log.take()
    }

    /// The content of the recording's file.
    package var bytes: [UInt8] {
        get throws(SystemError) {
            if folder == nil { return recording.header.json + kept }
            guard let path else { return recording.header.json }
            return try read(path)
        }
    }

    private func append(_ line: [UInt8]) {
        guard !hasStopped else { return }
        let line = folder != nil && path == nil ? recording.header.json + line : line
        size += line.count
        guard size <= limit else {
            hasStopped = true
            logger.warning("A recording is full", metadata: ["session": "\(name)"])
            return
        }
        guard let folder else { return kept += line }
        do throws(SystemError) {
            let descriptor = if let path { try open(path) } else { try create(in: folder) }
            defer { close(descriptor) }
            // One call, so that only the last line can be incomplete.
            let written = line.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
            if written != line.count { throw SystemError(written < 0 ? errno : ENOSPC) }
        } catch {
            hasStopped = true
            logger.error("A session is no longer recorded", metadata: ["session": "\(name)", "error": "\(error)"])
        }
    }

    private func open(_ path: String) throws(SystemError) -> Int32 {
        let descriptor = Glibc.open(path, O_WRONLY | O_APPEND | O_CLOEXEC | O_NOFOLLOW)
        guard descriptor >= 0 else { throw SystemError(errno) }
        return descriptor
    }

    /// Creates the file. Adds a number if it exists, because two sessions can have the same short ID.
    private func create(in folder: RecordingFolder) throws(SystemError) -> Int32 {
        for number in 1...100 {
            let path = "\(folder.path)/\(name)\(number == 1 ? "" : "-\(number)").jsonl"
            let descriptor = Glibc.open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
            if descriptor >= 0 {
                self.path = path
                return descriptor
            }
            guard errno == EEXIST else { break }
        }
        throw SystemError(errno)
    }

    private func read(_ path: String) throws(SystemError) -> [UInt8] {
        let descriptor = Glibc.open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw SystemError(errno) }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: size)
        let count = bytes.withUnsafeMutableBytes { Glibc.read(descriptor, $0.baseAddress, $0.count) }
        guard count >= 0 else { throw SystemError(errno) }
        bytes.removeLast(bytes.count - count)
        return bytes
    }
}

/// An error of a system call.
struct SystemError: Error, CustomStringConvertible {
    let description: String

    init(_ code: Int32) {
        description = String(cString: strerror(code))
    }
}
