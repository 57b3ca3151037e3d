public import BusinessLogic

/// A screen for tests: a test fills in its fields, sends its events, and says which commands it expects to come back, "these
/// and no others, in this order".
///
/// ```swift
/// let screen = TestControllable(LoginBusinessLogicController(credentials: credentials, clock: clock))
/// try await screen.send("loginButtonPressed", ["username": "batman", "password": "bruce"])
/// screen.expect(.goToPage("Home"))
/// ```
///
/// Commands that were not expected fail the test, at the line that sent the event: when the next event is sent, when
/// ``finish()`` is called, or when the screen goes. Works in Swift Testing and in XCTest. One task at a time.
public final class TestControllable {
    /// Whether all commands have to be expected.
    public enum Exhaustivity: Sendable {
        /// Exactly the expected commands may come.
        case on
        /// Others may come before, between and after the expected ones.
        case off
    }

    /// Whether all commands have to be expected.
    public var exhaustivity: Exhaustivity

    private let recorder: ResponseRecorder
    /// The fields that the logic says its events read; `nil` where it says nothing.
    private let fields: [Field]?
    private let identity: (any Identity)?
    /// How many commands have been dealt with.
    private var settled = 0
    /// Where the last event was sent, or the screen made.
    private var origin: CallSite

    /// A screen of that logic.
    ///
    /// - Parameters:
    ///   - eventable: the logic under test. Where it declares its events, no fields but theirs may be filled, and secret ones
    ///     are forgotten after each event.
    ///   - identity: who is in front of the screen, if the logic was given that: an event that fails leaves its user as before.
    ///   - exhaustivity: whether all commands have to be expected.
    ///   - fileID: the file that a failure is reported in; the caller's unless given.
    ///   - filePath: the path of that file.
    ///   - line: the line in it.
    ///   - column: the column in it.
    public convenience init(
        _ eventable: any Eventable,
        identity: (any Identity)? = nil,
        exhaustivity: Exhaustivity = .on,
        fileID: StaticString = #fileID,
        filePath: StaticString = #filePath,
        line: UInt = #line,
        column: UInt = #column
    ) {
        self.init(
            eventable,
            fields: (eventable as? any BusinessLogicController).map { Self.fields(of: $0) },
            identity: identity,
            exhaustivity: exhaustivity,
            origin: CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
        )
    }

    init(
        _ eventable: any Eventable,
        fields: [Field]?,
        identity: (any Identity)?,
        exhaustivity: Exhaustivity,
        origin: CallSite
    ) {
        recorder = ResponseRecorder(history: CommandHistory(limit: 1 << 20))
        self.identity = identity
        self.fields = fields
        self.exhaustivity = exhaustivity
        self.origin = origin
        recorder.eventable = eventable
    }

    deinit {
        expectNothingMore()
    }

    /// What is shown now: the last value rendered at each key.
    public var rendered: Value.Object { recorder.rendered }

    /// The alert that the last event showed.
    public var alert: Message? { recorder.alert }

    /// What the fields hold.
    public var values: Value.Object { recorder.values }

    /// Fills a field, or empties it with `nil`. A field that no event reads fails the test, where the logic declares its events.
    public func setValue(
        _ value: Value?,
        for key: String,
        fileID: StaticString = #fileID,
        filePath: StaticString = #filePath,
        line: UInt = #line,
        column: UInt = #column
    ) {
        setValue(value, for: key, at: CallSite(fileID: fileID, filePath: filePath, line: line, column: column))
    }

    private func setValue(_ value: Value?, for key: String, at site: CallSite) {
        requireField(key, at: site)
        recorder.setValue(value, for: key)
    }

    private func requireField(_ key: String, at site: CallSite) {
        if let fields, !fields.contains(where: { $0.name == key }) {
            var names: [String] = []
            for name in fields.map(\.name) where !names.contains(name) { names.append(name) }
            let known = names.isEmpty ? "there is none" : "there are: " + names.joined(separator: ", ")
            site.fail("No event reads the field '\(key)'; \(known).")
        }
    }

    /// Fills in fields, which keep their values for later events, tells the logic what happened, and returns when it has
    /// handled that. A field that no event reads fails the test, as with ``setValue(_:for:fileID:filePath:line:column:)``.
    ///
    /// An event that fails gives no commands and changes nothing: what is shown, the fields and the user are as before.
    ///
    /// - Throws: what ``/BusinessLogic/Eventable/dispatchEvent(_:)`` throws.
    public func send(
        _ event: Event,
        _ values: Value.Object = [:],
        fileID: StaticString = #fileID,
        filePath: StaticString = #filePath,
        line: UInt = #line,
        column: UInt = #column
    ) async throws {
        expectNothingMore()
        origin = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
        for (name, _) in values { requireField(name, at: origin) }
        defer { PendingIssues.report() }
        let secrets = (fields ?? []).filter(\.isSecret).map(\.name)
        try await recorder.runEvent(with: values, dropping: secrets, identity: identity) {
            try await recorder.eventable?.dispatchEvent(event)
        }
    }

    /// Expects the commands that have come since the last expectation to be these and no others, in this order. With
    /// ``Exhaustivity/off`` others may stand before and between them, and those that come after them can be expected later.
    public func expect(
        _ expected: Command...,
        fileID: StaticString = #fileID,
        filePath: StaticString = #filePath,
        line: UInt = #line,
        column: UInt = #column
    ) {
        let received = unsettled
        switch exhaustivity {
        case .on:
            settled = recorder.history.sequence
            if received == expected { return }
        case .off:
            guard let count = received.count(upTo: expected) else { break }
            settled += count
            return
        }
        CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
            .fail("Other commands came than were expected.\n\n" + difference(from: expected, to: received))
    }

    /// Expects that no command has come beside those that were expected. Call at a test's end; else it is done when the
    /// screen goes.
    public func finish() {
        expectNothingMore()
        PendingIssues.report()
    }

    /// The commands that nobody has expected yet.
    private var unsettled: [Command] {
        recorder.history.since(settled).map { $0.map(\.command) } ?? []
    }

    private func expectNothingMore() {
        let received = unsettled
        settled = recorder.history.sequence
        if exhaustivity == .off || received.isEmpty { return }
        origin.fail("Commands came that were not expected.\n\n" + difference(from: [], to: received))
    }

    private static func fields<Controller: BusinessLogicController>(of controller: Controller) -> [Field] {
        Controller.events.declarations.flatMap(\.reads)
    }
}

extension [Command] {
    /// How many commands there are up to the last of `expected`, when these stand among them in their order.
    fileprivate func count(upTo expected: [Command]) -> Int? {
        var count = 0
        for command in expected {
            guard let index = self[count...].firstIndex(of: command) else { return nil }
            count = index + 1
        }
        return count
    }
}
