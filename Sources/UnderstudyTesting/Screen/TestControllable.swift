public import BusinessLogic

/// A screen for tests. A test fills in its fields, sends its events, and states which commands it expects: exactly these, in
/// this order.
///
/// ```swift
/// let screen = TestControllable(LoginBusinessLogicController(credentials: credentials, clock: clock))
/// try await screen.send("loginButtonPressed", ["username": "batman", "password": "bruce"])
/// screen.expect(.goToPage("Home"))
/// ```
///
/// Unexpected commands fail the test, at the line that sent the event: when the next event is sent, when ``finish()`` is called,
/// or when the screen is released. It works in Swift Testing and in XCTest. Only one task at a time may use a screen.
public final class TestControllable {
    /// Whether a test must expect all commands.
    public enum Exhaustivity: Sendable {
        /// Only the expected commands may arrive.
        case on
        /// Other commands may arrive before, between and after the expected ones.
        case off
    }

    /// Whether the test must expect all commands.
    public var exhaustivity: Exhaustivity

    private let recorder: ResponseRecorder
    /// `nil` if the logic does not declare its events.
    var events: [EventDeclaration]?
    private let identity: (any Identity)?
    private let sessionValues: SessionValues?
    /// Called before and after each event of a session with several screens.
    var beforeEvent: () async throws -> Void = {}
    var afterEvent: () -> Void = {}
    var runUpdates: () async throws -> Void = {}
    /// `nil` before the first event.
    private var progress: UpdateProgress?
    /// The number of commands that the test has expected, or that have failed the test.
    private var settled = 0
    /// The position at which the last event was sent, or the screen was created.
    var origin: CallSite

    /// Creates a screen with its logic.
    ///
    /// - Parameters:
    ///   - eventable: the logic under test. If it declares its events, a test may fill in only their fields, the values of secret
    ///     fields are erased after each event, and an undeclared command or field fails the test.
    ///   - identity: the identity that the logic uses, if any. An event that fails leaves its user unchanged.
    ///   - sessionValues: the session's values that the logic uses, if any. An event that fails leaves them unchanged.
    ///   - exhaustivity: whether the test must expect all commands.
    ///   - fileID: the file in which a failure is reported; the caller's by default.
    ///   - filePath: the path of that file.
    ///   - line: the line in that file.
    ///   - column: the column in that line.
    public init(
        _ eventable: any Eventable,
        identity: (any Identity)? = nil,
        sessionValues: SessionValues? = nil,
        exhaustivity: Exhaustivity = .on,
        fileID: StaticString = #fileID,
        filePath: StaticString = #filePath,
        line: UInt = #line,
        column: UInt = #column
    ) {
        recorder = ResponseRecorder(history: CommandHistory(limit: 1 << 20))
        self.identity = identity
        self.sessionValues = sessionValues
        events = (eventable as? any BusinessLogicController)?.eventDeclarations
        self.exhaustivity = exhaustivity
        origin = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
        recorder.eventable = eventable
    }

    deinit {
        finish()
    }

    /// The current contents of the screen: the last value rendered for each key.
    public var rendered: Value.Object { recorder.rendered }

    /// The alert that the last event showed.
    public var alert: Message? { recorder.alert }

    /// The values of the fields.
    public var values: Value.Object { recorder.values }

    /// Fills in a field, or clears it with `nil`. If the logic declares its events and none reads the field, the test fails.
    public func setValue(
        _ value: Value?,
        for key: String,
        fileID: StaticString = #fileID,
        filePath: StaticString = #filePath,
        line: UInt = #line,
        column: UInt = #column
    ) {
        requireField(key, at: CallSite(fileID: fileID, filePath: filePath, line: line, column: column))
        recorder.setValue(value, for: key)
    }

    private func requireField(_ key: String, at site: CallSite) {
        if let fields, !fields.contains(where: { $0.name == key }) {
            let names = fields.map(\.name).unique(by: \.self)
            let known = names.isEmpty ? "The events read no fields" : "They read: " + names.joined(separator: ", ")
            site.fail("No event reads the field '\(key)'. \(known).")
        }
    }

    /// Sends an event with the values of fields to the logic, and returns when the logic has handled it. The fields keep their
    /// values for later events. A field that no event reads fails the test, as with ``setValue(_:for:fileID:filePath:line:column:)``.
    ///
    /// A failed event gives no commands and changes nothing: the screen, the fields and the user are as before.
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
        finish()
        origin = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
        for (name, _) in values { requireField(name, at: origin) }
        let secrets = (fields ?? []).filter(\.isSecret).map(\.name)
        try await beforeEvent()
        try await run(events?.first { $0.event == event }, with: values, dropping: secrets) {
            try await recorder.eventable?.dispatchEvent(event)
        }
        afterEvent()
    }

    /// Fails the test for what the logic has used without declaring it.
    private func run(
        _ declaration: EventDeclaration?,
        with values: Value.Object = [:],
        dropping secrets: [String] = [],
        handle: () async throws -> Void
    ) async throws {
        try await recorder.runEvent(
            declaration,
            checksValues: true,
            with: values,
            dropping: secrets,
            identity: identity,
            sessionValues: sessionValues,
            handle: handle
        )
        guard let declaration else { return }
        for use in recorder.undeclared { origin.fail(use.explanation(of: declaration)) }
    }

    /// If an update fails, the due ones stay due, as in a service.
    func runDueUpdates(_ topics: Topics, at now: Timestamp) async {
        guard let logic = recorder.eventable as? any BusinessLogicController, var progress else { return }
        let due = progress.due(of: logic, topics, at: now)
        for index in due.indices {
            let declaration = logic.declarations[index]
            guard (try? await run(declaration, handle: { try await logic.handleEvent(at: index) {} })) != nil else {
                return
            }
        }
        progress.finish(due)
        self.progress = progress
    }

    /// Begins the first event: what was published before is no update.
    func startUpdates(_ topics: Topics) {
        guard progress == nil else { return }
        progress = UpdateProgress()
        progress?.start(topics)
    }

    /// The screen shows and contains what it did before.
    func replaceLogic(by eventable: any Eventable) {
        recorder.eventable = eventable
        progress = nil
    }

    /// Fails the test unless exactly these commands have arrived since the last expectation, in this order. With
    /// ``Exhaustivity/off``, other commands may arrive before and between them, and you can expect later commands later.
    public func expect(
        _ expected: Command...,
        fileID: StaticString = #fileID,
        filePath: StaticString = #filePath,
        line: UInt = #line,
        column: UInt = #column
    ) {
        let site = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
        expect(expected, exactly: true, "The commands differ from the expected ones.", at: site)
    }

    /// Fails the test unless the next command shows that value in that output. With ``Exhaustivity/on``, no other command may
    /// come before it.
    public func expect<Content: ScreenValue>(
        _ output: Output<Content>,
        _ value: Content,
        fileID: StaticString = #fileID,
        filePath: StaticString = #filePath,
        line: UInt = #line,
        column: UInt = #column
    ) {
        let site = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
        expect([.render(output, value)], exactly: false, "The next command differs from the expected one.", at: site)
    }

    /// - Parameter exactly: whether no command may follow, unless any other may arrive.
    private func expect(_ expected: [Command], exactly: Bool, _ problem: String, at site: CallSite) {
        let received = unsettled
        let isNext = exactly ? received == expected : received.starts(with: expected)
        if let count = exhaustivity == .off ? received.count(upTo: expected) : isNext ? expected.count : nil {
            settled += count
            return
        }
        if exhaustivity == .on { settled = recorder.history.sequence }
        site.fail("\(problem)\n\n" + difference(from: expected, to: received))
    }

    /// Fails the test if there are unexpected commands. Call it at the end of a test; otherwise this happens when the screen is
    /// released.
    public func finish() {
        let received = unsettled
        settled = recorder.history.sequence
        if exhaustivity == .off || received.isEmpty { return }
        origin.fail("There are unexpected commands.\n\n" + difference(from: [], to: received))
    }

    private var unsettled: [Command] { recorder.history.since(settled).map { $0.map(\.command) } ?? [] }

    /// `nil` if the logic does not declare its events.
    private var fields: [FieldDeclaration]? { events.map { $0.flatMap(\.reads) } }
}

extension [Command] {
    /// The number of commands up to the last of `expected`; `nil` if the list does not contain them in this order.
    fileprivate func count(upTo expected: [Command]) -> Int? {
        var count = 0
        for command in expected {
            guard let index = self[count...].firstIndex(of: command) else { return nil }
            count = index + 1
        }
        return count
    }
}

extension BusinessLogicController {
    fileprivate var eventDeclarations: [EventDeclaration] { Self.events.declarations }
    fileprivate var declarations: [EventDeclaration] { Self.events.rows.map(\.declaration) }
}
