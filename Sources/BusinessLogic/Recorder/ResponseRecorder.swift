/// A screen that records commands instead of showing them, and stores the values of its fields.
///
/// The service creates its responses from a recorder. A test uses a recorder instead of a screen:
///
/// ```swift
/// let recorder = ResponseRecorder()
/// recorder.eventable = LoginBusinessLogicController(credentials: credentials, clock: clock)
/// recorder.setValue("batman", for: "username")
/// recorder.setValue("bruce", for: "password")
/// try await recorder.dispatchEvent("loginButtonPressed")
/// #expect(recorder.commands == [.goToPage("Home")])
/// ```
///
/// Not thread-safe: only one task may use it at a time.
public final class ResponseRecorder: Controllable {
    package let page: String
    /// Stores the commands. The recorders of a session share it, so that its sequence numbers count across all pages.
    package let history: CommandHistory
    /// What the screen shows and contains since the last event ended. The current event's commands are only in the history
    /// until it succeeds.
    // Without `@exclusivity(unchecked)` here and below, an event takes 1,050 instructions more in a plain build.
    @exclusivity(unchecked) private var committed = ScreenContent()
    /// `nil` between events. On the heap, because most recorders of a service wait for an event.
    private var event: RunningEvent?
    private let dropsLateCommands: Bool
    /// What the last event read or gave although its declaration does not name it.
    package private(set) var undeclared: [UndeclaredUse] = []

    private final class RunningEvent {
        let start: Int
        @exclusivity(unchecked) var values: Value.Object
        let declaration: EventDeclaration?
        let checksValues: Bool
        var observer: (() -> Void)?

        init(start: Int, values: Value.Object, declaration: EventDeclaration?, checksValues: Bool) {
            self.start = start
            self.values = values
            self.declaration = declaration
            self.checksValues = checksValues
        }
    }

    /// A page to which an event went.
    public struct Destination: Equatable, Codable, Sendable {
        /// The page's name.
        public let name: String
        /// The values that the page receives.
        public let values: Value.Object
    }

    package struct RenderedMessage: Equatable, Decodable, Sendable {
        package let key: String
        package let message: Message
    }

    /// The controller that receives this screen's events. Setting it makes this recorder the controller's screen.
    public var eventable: (any Eventable)? {
        didSet { eventable?.controllable = self }
    }

    /// Creates a recorder without values and commands.
    public convenience init() {
        self.init(page: "")
    }

    /// Pass the same history to all recorders of a session.
    ///
    /// - Parameter dropsLateCommands: whether to drop the commands that a controller gives while it handles no event.
    package init(page: String = "", history: CommandHistory = CommandHistory(), dropsLateCommands: Bool = false) {
        self.page = page
        self.history = history
        self.dropsLateCommands = dropsLateCommands
    }

    /// What the screen shows: for each key, the value of the latest `render` command. The keys are in the order in which they
    /// were first rendered.
    public var rendered: Value.Object { shown.rendered }
    /// ``rendered``, with the messages in the language of `context`.
    package func rendered(_ context: ResponseContext) -> Value.Object {
        var rendered = rendered
        for message in renderedMessages {
            rendered[message.key] = rendered[message.key].map { context.value($0, of: message.message) }
        }
        return rendered
    }
    package var renderedMessages: [RenderedMessage] { shown.renderedMessages }
    /// The alert that the last event showed, if any.
    public var alert: Message? { shown.alert }
    /// The page to which the last event went, if any, with the values that the page receives.
    public var destination: Destination? { shown.destination }
    /// The values of the screen's fields, in the order in which the fields were first filled. During an event, without the values
    /// that came with it.
    public var values: Value.Object { committed.values }

    /// Everything that the recorder stores, without the history.
    package var state: ScreenContent {
        get { shown }
        set { committed = newValue }
    }

    /// ``committed``, with what the current event has shown so far.
    private var shown: ScreenContent {
        guard let event else { return committed }
        var shown = committed
        shown.apply(history.current(since: event.start), of: page)
        return shown
    }

    /// This page's commands that the history still stores, in order.
    public var commands: [Command] { history.kept.filter { $0.page == page }.map(\.command) }

    /// Fills a field. If `value` is `nil`, empties it.
    public func setValue(_ value: Value?, for key: String) {
        committed.values[key] = value
    }

    /// Sends an event to the controller. The alert and the destination of the previous event are cleared.
    ///
    /// If the event fails, the history, the screen and the fields stay as before.
    ///
    /// - Parameters:
    ///   - event: what happened.
    ///   - values: the values to enter into fields first. All other fields keep their values.
    /// - Throws: what ``Eventable/dispatchEvent(_:)`` throws.
    public func dispatchEvent(_ event: Event, with values: Value.Object = [:]) async throws {
        try await runEvent(with: values) { try await eventable?.dispatchEvent(event) }
    }

    // MARK: An event, all or nothing

    /// Runs an event of a screen without a session.
    ///
    /// If `handle` succeeds, the screen shows its commands and the fields keep the values. Otherwise everything is as before, with the session's user
    /// and values.
    ///
    /// - Parameters:
    ///   - declaration: finds what the controller uses without declaring it; `nil` if it is unknown.
    ///   - checksValues: whether to compare the types of values with the declaration, of each element of a list.
    ///   - secrets: the names of the fields whose values are discarded, whether the event succeeds or not.
    package func runEvent(
        _ declaration: EventDeclaration? = nil,
        checksValues: Bool = false,
        with values: Value.Object,
        dropping secrets: [String] = [],
        identity: (any Identity)? = nil,
        sessionValues: SessionValues? = nil,
        handle: () async throws -> Void
    ) async throws {
        let user = identity?.user
        beginEvent(declaration, checksValues: checksValues, with: values)
        do {
            try sessionValues?.requireOneType()
            try await handle()
        } catch {
            rollBackEvent(dropping: secrets)
            if let identity, identity.user != user { identity.user = user }
            sessionValues?.rollBack()
            throw error
        }
        commitEvent(dropping: secrets)
        sessionValues?.commit()
    }

    /// Begins an event, whose commands and values count from ``commitEvent(dropping:)`` on, and never after ``rollBackEvent(dropping:)``.
    package func beginEvent(_ declaration: EventDeclaration?, checksValues: Bool = false, with values: Value.Object) {
        history.trim()
        // What came after the last event is reported with this one.
        if !undeclared.isEmpty { undeclared.removeAll { if case .late = $0 { false } else { true } } }
        event = RunningEvent(
            start: history.sequence,
            values: values,
            declaration: declaration,
            checksValues: checksValues
        )
    }

    /// Also fills the fields with the event's values, without those of `secrets`.
    package func commitEvent(dropping secrets: [String]) {
        guard let event else { return }
        committed.apply(history.current(since: event.start), of: page)
        committed.fill(event.values, dropping: secrets)
        end(dropping: secrets)
    }

    /// Removes the commands of the current event, and discards its values, and those of `secrets` that were filled before.
    package func rollBackEvent(dropping secrets: [String]) {
        guard let event else { return }
        history.removeAll(after: event.start)
        // They are undone, and can be large.
        undeclared.removeAll { if case .command = $0 { true } else { false } }
        end(dropping: secrets)
    }

    /// Calls a function when a command of the current event has been recorded: the last of ``eventCommands``. The event may still fail, which
    /// undoes its commands.
    package func observeEvent(_ observer: @escaping () -> Void) {
        event?.observer = observer
    }

    /// They can contain large values.
    package func forgetUndeclared() {
        if !undeclared.isEmpty { undeclared = [] }
    }

    package var eventCommands: ArraySlice<CommandHistory.Entry> {
        history.current(since: event?.start ?? history.sequence)
    }

    private func end(dropping secrets: [String]) {
        // A test may have filled secret fields before the event.
        for secret in secrets where committed.values.contains(secret) { committed.values[secret] = nil }
        event = nil
    }

    // MARK: Size

    /// The bytes that the recorder takes on the heap, without the history and the current event.
    package var memorySize: Int { committed.memorySize }

    /// The maximum number of bytes by which the recorder grows when the current event is committed.
    package var largestGrowth: Int {
        guard let event else { return 0 }
        // A new member may double an object's capacity.
        let members =
            committed.rendered.count + committed.messages.count + committed.values.count + event.values.count
            + 2 * (history.sequence - event.start)
        // Twice, because the text of a message counts among the values and among the messages.
        return 2 * history.memorySize(since: event.start) + members * Value.Object.memorySizeOfMember
            + event.values.memorySize
    }

    /// The bytes that the recorder takes on the heap after the current event is committed.
    package func memorySizeOfCommit(dropping secrets: [String]) -> Int {
        var shown = shown
        if let event { shown.fill(event.values, dropping: secrets) }
        return shown.memorySize
    }

    package func compact() {
        committed.rendered.compact()
        committed.messages.compact()
        committed.values.compact()
    }

    // MARK: Controllable

    public func render(_ key: String, _ value: Value) { show(.render(key: key, value: value, message: nil)) }

    public func render(_ key: String, _ message: Message) { show(.render(key, message)) }

    public func getValue(_ key: String) -> Value? {
        guard let event else { return committed.values[key] }
        if event.declaration?.reads(key) == false { undeclared.append(.field(key)) }
        return event.values[key] ?? committed.values[key]
    }

    public func showAlert(_ message: Message) { show(.showAlert(message)) }

    public func goToPage(_ name: String, _ values: Value.Object) { show(.goToPage(name: name, values: values)) }

    private func show(_ command: consuming Command) {
        if let event {
            if let declaration = event.declaration, !declaration.allows(command, checksValues: event.checksValues) {
                undeclared.append(.command(copy command))
            }
            history.append(consume command, page: page)
            event.observer?()
        } else if dropsLateCommands {
            if undeclared.isEmpty { undeclared.append(.late(command.subject)) }
        } else {
            history.append(consume command, page: page)
            committed.show(history.current(since: history.sequence - 1), of: page)
        }
    }
}
