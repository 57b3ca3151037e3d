package import BusinessLogic
import HTTPMessages
import Synchronization
package import UnderstudyPages
import UnderstudySessions

/// The endpoints below `/test` on the port for operators, with which a test controls a server.
package final class TestControl: Sendable {
    let clock: AdvanceableClock
    let saveData: @Sendable () async throws -> SavedData
    /// What the data were after the start.
    let start: SavedData
    let states = SavedStates()
    /// The mails that the server keeps; `nil` if it gives them to a mail server.
    let mails: (any TestMailbox)?
    /// The requests that wait for a mail.
    let waitingForMails = Waiters()

    /// Creates the endpoints.
    ///
    /// - Parameters:
    ///   - clock: the clock of the whole process.
    ///   - start: everything that the service does not store itself, such as accounts, as it was after the start. No request runs while it
    ///     is restored.
    ///   - mails: the mails that the server keeps; `nil` if it gives them to a mail server.
    ///   - saveData: saves the same as it is now. No request runs meanwhile.
    package init(
        clock: AdvanceableClock,
        start: SavedData,
        mails: (any TestMailbox)? = nil,
        saveData: @escaping @Sendable () async throws -> SavedData
    ) {
        self.clock = clock
        self.start = start
        self.mails = mails
        self.saveData = saveData
        mails?.onAddition { [weak self] in self?.waitingForMails.wake() }
    }

    private static let endpoints = [
        TestEndpoint("/test/clock", [.get, .head, .post]) { try $0.handleClock($1, $2) },
        TestEndpoint("/test/reset", [.post]) { try await $0.handleReset($1, $2) },
        TestEndpoint("/test/save", [.post]) { try await $0.handleSave($1, $2) },
        TestEndpoint("/test/mail", [.get, .head]) { try await $0.handleMail($1, $2) },
        TestEndpoint("/test/fault", [.get, .head, .post, .delete]) { try $0.handleFault($1, $2) },
    ]

    /// The paths of the endpoints.
    static var paths: [String] { endpoints.map(\.path) }

    /// The response to a request; `nil` if its path is not one of ``paths``.
    ///
    /// - Throws: ``Problem``; what resetting the service or its data throws.
    func respond(to request: Request, for service: UnderstudyService) async throws -> Response? {
        guard let endpoint = Self.endpoints.first(where: { request.path.utf8.elementsEqual($0.path.utf8) }) else {
            return nil
        }
        // No other site is allowed, whatever the service allows.
        try request.requireSameSite(orOneOf: AllowedOrigins())
        guard endpoint.methods.contains(request.method) else {
            throw Problem(methodNotAllowed: request.method, allowed: endpoint.methods)
        }
        return try await endpoint.handle(self, request, service)
    }
}

/// A mail that a server in a test has kept.
package struct TestMail: Sendable {
    package let recipient: String
    package let subject: String
    package let text: String
    package let sent: Timestamp

    package init(recipient: String, subject: String, text: String, sent: Timestamp) {
        self.recipient = recipient
        self.subject = subject
        self.text = text
        self.sent = sent
    }
}

/// The mails that a server in a test keeps. Any thread may use it.
package protocol TestMailbox: Sendable {
    /// The mails, in the order of their addition.
    var testMails: [TestMail] { get }

    /// Calls `action` whenever a mail has been added. It stays registered, and must not block.
    func onAddition(_ action: @escaping @Sendable () -> Void)
}

/// The states that tests have saved, by their names.
final class SavedStates: Sendable {
    /// The maximum number of states.
    static let maximum = 16

    private let states = Mutex<[String: SavedState]>([:])

    /// The names of the states, in order.
    var names: [String] { states.withLock { $0.keys.sorted() } }

    /// The state of that name; `nil` if none was saved.
    subscript(name: String) -> SavedState? { states.withLock { $0[name] } }

    /// Whether a state of that name can be added.
    func hasRoom(for name: String) -> Bool { states.withLock { $0[name] != nil || $0.count < Self.maximum } }

    /// Adds a state, or replaces the one with that name.
    ///
    /// - Returns: `false` if there are too many states. Then nothing has changed.
    func add(_ state: SavedState, named name: String) -> Bool {
        states.withLock { states in
            guard states[name] != nil || states.count < Self.maximum else { return false }
            states[name] = state
            return true
        }
    }
}

/// An endpoint below `/test`. The files in `TestControl` define them.
private struct TestEndpoint: Sendable {
    let path: String
    let methods: [Method]
    let handle: @Sendable (TestControl, Request, UnderstudyService) async throws -> Response

    init(
        _ path: String,
        _ methods: [Method],
        handle: @escaping @Sendable (TestControl, Request, UnderstudyService) async throws -> Response
    ) {
        self.path = path
        self.methods = methods
        self.handle = handle
    }
}

extension Duration {
    /// What ``init(written:)`` reads, for an error.
    package static let writtenForm = "a number with ms, s, m, h or d, such as 30m"

    /// The duration that a person writes as `90` or `90s`, `30m`, `12h`, `7d` or `250ms`; `nil` for any other text, and for more than
    /// 1,000,000,000 units.
    package init?(written text: String) {
        let digits = text.utf8.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        guard let number = Int64(Substring(digits)), number <= 1_000_000_000 else { return nil }
        let unit = Array(text.utf8[digits.endIndex...])
        switch String(decoding: unit, as: UTF8.self) {
        case "", "s": self = .seconds(number)
        case "ms": self = .milliseconds(number)
        case "m": self = .seconds(60 * number)
        case "h": self = .seconds(3600 * number)
        case "d": self = .seconds(86_400 * number)
        default: return nil
        }
    }
}
