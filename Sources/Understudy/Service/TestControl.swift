package import BusinessLogic
import HTTPMessages
import Synchronization
package import UnderstudyPages
import UnderstudySessions
import Logging

/// The endpoints below `/test` on the port for operators, with which a test controls a server.
package final class TestControl: Sendable {
    let clock: AdvanceableClock
    let saveData: @Sendable () async throws -> SavedData
    let start: SavedData
    let states = Mutex<[String: SavedState]>([:])
    /// `nil` if the server gives its mails to a mail server.
    let mails: (any TestMailbox)?
    let waitingForMails = Waiters()

    /// Creates the endpoints.
    ///
    /// - Parameters:
    ///   - clock: the clock of the whole process.
    ///   - start: everything that the service does not store itself, such as accounts, as it was after the start. No request runs while it is
    ///     restored.
    ///   - mails: `nil` if the server gives its mails to a mail server.
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
        TestEndpoint(path: "/test/clock", methods: [.get, .head, .post]) { try $0.handleClock($1, $2) },
        TestEndpoint(path: "/test/reset", methods: [.post]) { try await $0.handleReset($1, $2) },
        TestEndpoint(path: "/test/save", methods: [.post]) { try await $0.handleSave($1, $2) },
        TestEndpoint(path: "/test/mail", methods: [.get, .head]) { try await $0.handleMail($1, $2) },
        TestEndpoint(path: "/test/fault", methods: [.get, .head, .post, .delete]) { try $0.handleFault($1, $2) },
    ]

    static var paths: [String] { endpoints.map(\.path) }

    /// `nil` if the request's path is not one of ``paths``.
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

/// Any thread may use it.
package protocol TestMailbox: Sendable {
    var testMails: [TestMail] { get }

    /// Calls `action` whenever a mail has been added. It stays registered, and must not block.
    func onAddition(_ action: @escaping @Sendable () -> Void)
}

private struct TestEndpoint: Sendable {
    let path: String
    let methods: [Method]
    let handle: @Sendable (TestControl, Request, UnderstudyService) async throws -> Response
}

extension Duration {
    package static let writtenForm = "a number with ms, s, m, h or d, such as 30m"

    /// The duration that a person writes as `90` or `90s`, `30m`, `12h`, `7d` or `250ms`; `nil` for any other text, and for more than
    /// 1,000,000,000 units.
    package init?(written text: String) {
        let digits = text.utf8.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        guard let number = Int64(Substring(digits)), number <= 1_000_000_000 else { return nil }
        let unit = Array(text.utf8[digits.endIndex...])
        switch String(decoding: unit, as: UTF8.self) {
        // Other numbers without a unit may be minutes.
        case "" where number == 0: self = .zero
        case "s": self = .seconds(number)
        case "ms": self = .milliseconds(number)
        case "m": self = .seconds(60 * number)
        case "h": self = .seconds(3600 * number)
        case "d": self = .seconds(86_400 * number)
        default: return nil
        }
    }
}

extension TestControl {
    /// `GET /test/clock` and `POST /test/clock`.
    func handleClock(_ request: Request, _ service: UnderstudyService) throws(Problem) -> Response {
        if request.method == .post {
            try advanceClock(request)
            service.logger.info("The clock has been advanced", metadata: ["now": "\(clock.now)"])
        }
        let milliseconds = Timestamp(milliseconds: 0) + clock.advanced
        return .json(["now": .string(clock.now.description), "advanced": Value(Int(milliseconds.milliseconds))])
    }

    private func advanceClock(_ request: Request) throws(Problem) {
        guard let body = try Submission.jsonObject(request), body.count == 1, let value = body["advance"],
            let duration = value.string.flatMap(Duration.init(written:))
        else {
            throw .malformedBody(
                "The body must be an object with one member: 'advance', \(Duration.writtenForm) (curl --json '{\"advance\":\"30m\"}').",
                at: "/advance"
            )
        }
        guard clock.advance(by: duration) else {
            throw .malformedBody(
                "The clock can be advanced by at most ten years (3650d) in all, until POST /test/reset.",
                at: "/advance"
            )
        }
    }
}

extension TestMail {
    /// The first code of eight digits in the text; `nil` if it has none.
    package var code: String? {
        text.utf8.split { !(UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }.first { $0.count == 8 }
            .map { String(Substring($0)) }
    }

    /// The first link in the text; `nil` if it has none.
    package var link: String? {
        text.utf8.split { $0 <= 0x20 }.first { word in
            ["http://", "https://"].contains { word.starts(with: $0.utf8) }
        }.map { String(Substring($0)) }
    }

    var value: Value {
        [
            "to": .string(recipient), "subject": .string(subject), "text": .string(text),
            "code": Value(code), "link": Value(link),
            "sent": .string(sent.description),
        ]
    }
}

extension TestControl {
    /// `GET /test/mail?to=ADDRESS&wait=SECONDS`: the mails to an address, or all, in their order. Waits until there is one.
    func handleMail(_ request: Request, _ service: UnderstudyService) async throws -> Response {
        guard let mails else {
            throw Problem(.unknownPage, "The server gives its mails to a mail server: start it without 'mail-url'.")
        }
        let wait = try request.number(named: "wait", in: 0...50) ?? 0
        let parameters = request.query.flatMap { Submission(query: $0)?.values } ?? [:]
        // A misspelt 'to' would return the mails of others.
        if let unknown = parameters.first(where: { $0.name != "to" && $0.name != "wait" }) {
            throw Problem(.invalidParameter, "There is no parameter '\(unknown.name)', only 'to' and 'wait'.")
        }
        let recipient = parameters["to"]?.string
        func found() -> [TestMail] { mails.testMails.filter { recipient == nil || $0.recipient == recipient } }
        if wait > 0 { await waitForMails(.seconds(wait), request, service) { !found().isEmpty } }
        return .json(["mails": .array(found().map(\.value))])
    }

    /// Waits until a condition is true, which mails can change, the duration has passed, or the client has gone.
    private func waitForMails(
        _ duration: Duration,
        _ request: Request,
        _ service: UnderstudyService,
        until condition: () -> Bool
    ) async {
        let end = ContinuousClock.now + duration
        let waiter = Waiter()
        // Before the condition is evaluated, so that no mail is added unnoticed in between.
        waitingForMails.add(waiter)
        defer { waitingForMails.remove(waiter) }
        guard !condition() else { return }
        request.letHandlerWait()
        // Wakes it after the end, not before.
        service.wakeTimers.wake(waiter, after: duration)
        repeat { await waiter.wait() } while !condition() && ContinuousClock.now < end && !Task.isCancelled
    }

    func handleReset(_ request: Request, _ service: UnderstudyService) async throws -> Response {
        let name = try resetState(request)
        let state = try name.map(savedState) ?? SavedState(data: start)
        // Before the reset, which would wait for their delays.
        service.faults?.removeAll()
        try await service.reset(clock, to: state)
        service.logger.info("The server has been reset", metadata: name.map { ["state": "\($0)"] })
        return Response(status: 204)
    }

    private func savedState(named name: String) throws(Problem) -> SavedState {
        let states = states.withLock { $0 }
        if let state = states[name] { return state }
        let names = states.keys.sorted().map { "'\($0)'" }.joined(separator: ", ")
        throw malformedState(
            "There is no state '\(name)'. "
                + (names.isEmpty ? "POST /test/save saves one." : "The saved states are \(names).")
        )
    }

    func handleSave(_ request: Request, _ service: UnderstudyService) async throws -> Response {
        guard let name = stateName(in: try Submission.jsonObject(request)) else {
            throw malformedState("The body must be an object with one member: 'state', \(Self.stateNameForm).")
        }
        let state = try await service.savedState(clock, saveData)
        let isAdded = states.withLock { states in
            let hasRoom = states[name] != nil || states.count < Self.maximumStates
            if hasRoom { states[name] = state }
            return hasRoom
        }
        guard isAdded else {
            throw malformedState(
                "There are \(Self.maximumStates) states, which is the maximum. Replace one of them: save a state with its name."
            )
        }
        service.logger.info("A state has been saved", metadata: ["state": "\(name)"])
        return Response(status: 204)
    }

    private static var maximumStates: Int { 16 }
    private static var stateNameForm: String { "a name of 1 to 64 letters, digits, '-', '_' and '.'" }

    /// `nil` for the state after the start.
    private func resetState(_ request: Request) throws(Problem) -> String? {
        if request.body.isEmpty, request.headers.count(of: "content-type") == 0 { return nil }
        let body = try Submission.jsonObject(request)
        if body?.isEmpty == true { return nil }
        if let name = stateName(in: body) { return name }
        throw malformedState(
            "The body must be missing, an object without members, or one with the member 'state', \(Self.stateNameForm)."
        )
    }

    private func stateName(in body: Value.Object?) -> String? {
        guard let body, body.count == 1, let name = body["state"]?.string else { return nil }
        let isValid = name.utf8.allSatisfy { $0.isASCIIAlphanumeric || "-_.".utf8.contains($0) }
        return isValid && (1...64).contains(name.utf8.count) ? name : nil
    }

    private func malformedState(_ detail: String) -> Problem { .malformedBody(detail, at: "/state") }
}
