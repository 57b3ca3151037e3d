package import BusinessLogic
import FoundationEssentials
import Glibc
package import HTTPMessages
package import Logging
package import UnderstudyPages

/// Records a session to a file, or in memory. Use it only while holding the session's lock.
package final class SessionRecorder {
    let log: CollaboratorLog

    /// `nil` to record in memory.
    private let folder: RecordingFolder?
    private let name: String
    private var recording: Recording
    /// The addresses of the pages, without the service's path prefix.
    private let context: ResponseContext
    private let logger: Logger
    /// `nil` before the first event.
    private var path: String?
    private var size = 0
    private var kept: [UInt8] = []
    private var rejectionsSize = 0
    /// A recording with a gap cannot be replayed.
    private var hasStopped = false

    /// In bytes.
    private var limit: Int { folder == nil ? 1 << 20 : 16 << 20 }
    /// The maximum size of all rejected requests in a recording, in bytes. Further ones are left out, because they change nothing.
    private static let rejectionsLimit = 1 << 20

    package init(
        _ name: String,
        in folder: RecordingFolder?,
        version: String,
        context: ResponseContext,
        log: CollaboratorLog,
        at now: Timestamp,
        logger: Logger
    ) {
        self.log = log
        self.folder = folder
        self.context = context
        self.logger = logger
        self.name = name
        recording = Recording(understudy: version, started: now, isRedacted: folder?.isRedacted ?? false)
    }

    /// Call before the first event.
    package func name(agent: String) { recording.agent = agent }

    package func record(
        _ event: Event,
        on page: Page,
        values: Value.Object = [:],
        commands: ArraySlice<CommandHistory.Entry>,
        user: User?,
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
        var response = EventResponse()
        response.commands = page.recorded(commands)
        response.user = user
        response.failure = failure.map(CollaboratorFailure.init)
        append(line(of: event, on: page, values: kept, erased: erased, results: log.take(), response))
    }

    /// The service has rejected it because of its event or its values.
    package func recordRejection(_ error: EventError, of request: Request, to page: Page, user: User?) {
        guard let submission = try? Submission(request) else { return }
        let event = submission.event ?? page.defaultEvent.event
        // Before they are checked.
        var values: Value.Object = [:]
        if let declaration = page.events.first(where: { $0.event == event }) {
            guard let sent = try? page.values(of: submission, for: declaration) else { return }
            values = sent
        }
        var kept: Value.Object = [:]
        var erased: [String] = []
        for (name, value) in values {
            // What the page does not know can be a secret under a misspelt name.
            let field = page.field(name)
            let isKept = field.map { !$0.isSecret && !error.hasUnknownMember(of: name) } ?? false
            if isKept || field != nil && (value == .null || value == "") {
                kept.append(name, value)
            } else {
                erased.append(field == nil && recording.isRedacted ? name.clipped.redacted : name)
            }
        }
        var response = EventResponse()
        response.user = user
        response.problem = error.recorded(below: submission.pointer)
        var name = event.name
        if case .unknownEvent = error { name = recording.isRedacted ? name.clipped.redacted : name.clipped }
        let line = line(of: Event(name), on: page, values: kept, erased: erased, results: [], response)
        rejectionsSize += line.count
        if rejectionsSize <= Self.rejectionsLimit { append(line) }
    }

    private func line(
        of event: Event,
        on page: Page,
        values: Value.Object,
        erased: [String],
        results: [CollaboratorLog.Entry],
        _ response: EventResponse
    ) -> [UInt8] {
        let isRedacted = recording.isRedacted
        let values = isRedacted ? values.redacted : values
        var response = isRedacted ? response.redacted : response
        response.validations = page.validations(of: values)
        return Recording.Event(
            page: page.name,
            event: event,
            values: values,
            erased: erased,
            results: isRedacted ? results.map(\.redacted) : results,
            response: response.value(context),
            commands: response.commands,
            failure: response.failure
        ).json
    }

    package func discardResults() {
        _ = log.take()
    }

    package var bytes: [UInt8] {
        get throws {
            if folder == nil { return recording.header.json + kept }
            guard let path else { return recording.header.json }
            return Array(try Data(contentsOf: URL(filePath: path)))
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

    /// Adds a number if the file exists, because two sessions can have the same short ID.
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
}

extension EventError {
    fileprivate func hasUnknownMember(of field: String) -> Bool {
        guard case .invalidFields(let faults, _) = self else { return false }
        return faults.contains { fault in
            guard case .unknown = fault.reason else { return false }
            return fault.field.hasSameBytes(as: field)
        }
    }
}

struct SystemError: Error, CustomStringConvertible {
    let description: String

    init(_ code: Int32) {
        description = String(cString: strerror(code))
    }
}

/// A folder for recordings: one file for each session, which only the file's owner can read.
///
/// A file's name is the session's short ID in logs, never its token. At 16 MiB, the recording ends. The service writes each
/// event on the event loop before it sends the response: record sessions to find faults, not under load.
public struct RecordingFolder: Sendable {
    /// The folder's path.
    public let path: String
    /// Whether letters and digits of all texts are replaced. Secrets are always erased.
    public let isRedacted: Bool

    /// Opens the folder. Creates it for its owner only if it does not exist.
    ///
    /// - Throws: ``RecordingError/folder(_:reason:)`` if the folder cannot be written to.
    public init(_ path: String, isRedacted: Bool = false) throws(RecordingError) {
        self.path = path
        self.isRedacted = isRedacted
        // The dot, because the path may be that of a file.
        guard mkdir(path, 0o700) == 0 || errno == EEXIST, access("\(path)/.", W_OK | X_OK) == 0 else {
            throw .folder(path, reason: String(cString: strerror(errno)))
        }
    }
}
