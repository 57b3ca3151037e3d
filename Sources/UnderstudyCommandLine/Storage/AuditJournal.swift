import Accounts
import Foundation
import Glibc
import MicroHTTP
import Synchronization

/// An audit log that sends each record to the journal of systemd, as a message of JSON.
///
/// The records are chained as in a file: another file contains the hash of the last one, for all processes that send records.
final class AuditJournal: OpenedAuditLog {
    /// The value of `SYSLOG_IDENTIFIER`, by which `journalctl` finds the records.
    static var identifier: String { Application.current.commandName + "-audit" }

    private struct State {
        var last: String?
        var patience = AuditFile.patience
    }

    private static let path = "/run/systemd/journal/socket"

    private let address: SocketAddress
    private let socket: FileHandle
    private let chain: FileHandle?
    private let identifier = AuditJournal.identifier
    private let onError: @Sendable (any Error) -> Void
    private let state = Mutex(State())
    /// Sends one record after the other.
    private let thread = AuditThread()

    /// - Parameters:
    ///   - path: the socket of the journal.
    ///   - chain: the file with the hash of the last record, which is created if it does not exist; `nil` for a chain of this process alone.
    ///   - onError: is called if a record could not be sent, or only without the chain, before ``record(_:)`` returns.
    /// - Throws: `AuditFileError` if there is no journal, or the file cannot be opened.
    init(
        path: String = path,
        chain: String?,
        onError: @escaping @Sendable (any Error) -> Void
    ) throws {
        guard let address = SocketAddress(path: path), access(path, F_OK) == 0 else {
            throw AuditFileError(path: path, reason: "there is no journal of systemd at this path")
        }
        self.address = address
        self.onError = onError
        let type = Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
        let descriptor = Glibc.socket(AF_UNIX, type, 0)
        guard descriptor >= 0 else { throw AuditFileError(path: path, code: errno) }
        socket = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        self.chain = try chain.map { file in
            let descriptor = open(file, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0o600)
            guard descriptor >= 0 else { throw AuditFileError(path: file, code: errno) }
            return FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        }
    }

    var lastHash: String? { state.withLock { chain.map { Self.hash(in: $0.fileDescriptor) } ?? $0.last } }

    /// Does nothing: the journal opens its own files.
    func reopen() {}

    func record(_ event: AuditEvent) async {
        await thread.run { [self] in if let error = state.withLock({ send(event, &$0) }) { onError(error) } }
    }

    /// Sends a record that continues the last one.
    ///
    /// - Returns: the error if it was not sent, or perhaps does not continue the last one.
    private func send(_ event: AuditEvent, _ state: inout State) -> AuditFileError? {
        let file = chain?.fileDescriptor
        let isLocked = file.map { AuditFile.lock($0, state.patience) } ?? true
        state.patience = isLocked ? AuditFile.patience : .zero
        defer { if let file, isLocked { flock(file, LOCK_UN) } }
        if let file { state.last = Self.hash(in: file) ?? state.last }
        let line = event.json(after: state.last)
        // The facility 10 is for security, and the priority 5 is 'notice'. The record contains no line feed.
        let message = "MESSAGE=\(line)\nPRIORITY=5\nSYSLOG_FACILITY=10\nSYSLOG_IDENTIFIER=\(identifier)\n"
        guard address.send(Array(message.utf8), by: socket.fileDescriptor) else {
            return AuditFileError(path: Self.path, code: errno)
        }
        let hash = AuditChain.hash(of: line.utf8)
        state.last = hash
        guard let file else { return nil }
        let written = pwrite(file, Array(hash.utf8), hash.utf8.count, 0)
        return isLocked && written == hash.utf8.count ? nil : AuditFileError(path: "audit-chain", code: errno)
    }

    /// The hash in a file; `nil` if it contains none.
    private static func hash(in file: Int32) -> String? {
        var bytes = [UInt8](repeating: 0, count: 64)
        guard pread(file, &bytes, bytes.count, 0) == bytes.count else { return nil }
        let hash = String(decoding: bytes, as: UTF8.self)
        return hash.wholeMatch(of: /[0-9a-f]{64}/) == nil ? nil : hash
    }
}
