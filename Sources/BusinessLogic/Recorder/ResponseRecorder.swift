/// Stands in for a screen: holds the values that were entered, and records the commands it receives.
///
/// Behind HTTP it is what answers; in a test it is the stub that the test drives:
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
/// Not thread-safe: one task at a time.
public final class ResponseRecorder: Controllable {
    /// The name of the page whose screen this is.
    public let page: String
    /// Where the commands go; shared by the recorders of one session, so that there is one order over all pages.
    public let history: CommandHistory
    /// What the screen shows and holds, as of the last event that was handled.
    private var settled = Settled()
    // An event that is being handled changes nothing of this. What it shows is in the history, and is applied at its end.
    /// The number of the last command before the event that is being handled; -1 between events.
    private var start = -1
    /// The values that came with the event.
    private var eventValues: Value.Object = [:]

    /// A page that an event went to.
    public struct Destination: Equatable, Codable, Sendable {
        /// The page's name.
        public let name: String
        /// The values taken along.
        public let values: Value.Object
    }

    /// All that a recorder holds besides the history.
    public struct State: Equatable, Codable, Sendable {
        var rendered: Value.Object
        var alert: Message?
        var destination: Destination?
        var values: Value.Object
    }

    private var isHandling: Bool { start >= 0 }

    /// The logic that this screen belongs to. Setting it makes this recorder its screen.
    public var eventable: (any Eventable)? {
        didSet { eventable?.controllable = self }
    }

    /// A screen on which nothing has happened yet.
    public init(page: String = "", history: CommandHistory = CommandHistory()) {
        self.page = page
        self.history = history
    }

    /// What is shown now: the last value rendered at each key, in the order of first rendering.
    public var rendered: Value.Object { current.rendered }
    /// The alert that the last event showed.
    public var alert: Message? { current.alert }
    /// The page that the last event went to, with the values taken along.
    public var destination: Destination? { current.destination }
    /// What the screen's fields hold, in the order in which they were first filled.
    public var values: Value.Object { settled.values }

    /// What the recorder holds besides the history; put back, it goes on where the other was.
    public var state: State {
        get {
            let current = current
            return State(
                rendered: current.rendered,
                alert: current.alert,
                destination: current.destination,
                values: current.values
            )
        }
        set {
            settled = Settled(
                rendered: newValue.rendered,
                values: newValue.values,
                outcome: Settled.Outcome(alert: newValue.alert, destination: newValue.destination)
            )
        }
    }

    /// ``settled``, with what the event that is being handled has shown so far.
    private var current: Settled {
        guard isHandling else { return settled }
        var current = settled
        current.apply(history.current(since: start), of: page)
        return current
    }

    /// The commands received on this page, in order, as far as the history keeps them.
    public var commands: [Command] {
        history.kept.filter { $0.page == page }.map(\.command)
    }

    /// Fills a field, or empties it with `nil`.
    public func setValue(_ value: Value?, for key: String) {
        settled.values[key] = value
    }

    /// Call when something happened on the screen. The alert and the destination of the event before are gone then.
    ///
    /// An event that fails gives no commands and changes nothing: the history, what is shown and the fields are as before.
    ///
    /// - Parameters:
    ///   - event: what happened.
    ///   - values: what was entered into fields, which then keep it; in addition to what they hold.
    /// - Throws: what ``Eventable/dispatchEvent(_:)`` throws.
    public func dispatchEvent(_ event: Event, with values: Value.Object = [:]) async throws {
        try await runEvent(with: values) { try await eventable?.dispatchEvent(event) }
    }

    // MARK: An event, all or nothing

    /// Runs an event: the only code that does, for a service, a replay, a graph and a test alike. If `handle` succeeds, the
    /// screen shows its commands and the fields keep the values; otherwise everything is as before.
    ///
    /// - Parameters:
    ///   - values: what was entered into fields.
    ///   - secrets: the names of fields that keep nothing, whether the event succeeds or not.
    ///   - identity: the session's user, who is the same as before if the event fails.
    ///   - handle: has the controller handle the event.
    /// - Throws: what `handle` throws.
    package func runEvent(
        with values: Value.Object,
        dropping secrets: [String] = [],
        identity: (any Identity)? = nil,
        handle: () async throws -> Void
    ) async throws {
        let user = identity?.user
        history.trim()
        start = history.sequence
        eventValues = values
        do {
            try await handle()
        } catch {
            history.removeAll(after: start)
            end(dropping: secrets)
            if let identity, identity.user != user { identity.user = user }
            throw error
        }
        settled.apply(history.current(since: start), of: page)
        settled.fill(eventValues, dropping: secrets)
        end(dropping: secrets)
    }

    /// The commands of the event that is being handled.
    package var eventCommands: ArraySlice<CommandHistory.Entry> { history.current(since: start) }

    /// Forgets the last event's alert and destination, and what the fields hold.
    package func clearEvent() {
        settled.outcome = .none
        settled.values = [:]
    }

    private func end(dropping secrets: [String]) {
        // A test may have filled them before the event.
        for secret in secrets where settled.values.contains(secret) { settled.values[secret] = nil }
        start = -1
        eventValues = [:]
    }

    // MARK: Size

    /// The bytes that the recorder takes on the heap besides the history, as of the last event that was handled.
    package var memorySize: Int { settled.memorySize }

    /// The most bytes by which the recorder can grow when the event that is being handled is committed.
    package var largestGrowth: Int {
        guard isHandling else { return 0 }
        // A new member may make room for as many members again.
        let members = settled.rendered.count + settled.values.count + eventValues.count + history.sequence - start
        return history.memorySize(since: start) + members * Value.Object.memorySizeOfMember + eventValues.memorySize
    }

    /// The bytes that the recorder will take on the heap when the event that is being handled is committed.
    ///
    /// - Parameter secrets: as in ``runEvent(with:dropping:identity:handle:)``.
    package func memorySizeOfCommit(dropping secrets: [String]) -> Int {
        var current = current
        current.fill(eventValues, dropping: secrets)
        return current.memorySize
    }

    /// Gives back the room for values that are not there yet.
    package func compact() {
        settled.rendered.compact()
        settled.values.compact()
    }

    // MARK: What the logic tells the screen

    public func render(_ key: String, _ value: Value) {
        show(.render(key: key, value: value, message: nil))
    }

    public func render(_ key: String, _ message: Message) {
        show(.render(key, message))
    }

    public func getValue(_ key: String) -> Value? {
        (isHandling ? eventValues[key] : nil) ?? settled.values[key]
    }

    public func showAlert(_ message: Message) {
        show(.showAlert(message))
    }

    public func goToPage(_ name: String, _ values: Value.Object) {
        show(.goToPage(name: name, values: values))
    }

    private func show(_ command: consuming Command) {
        history.append(command, page: page)
        if !isHandling { settled.show(history.current(since: history.sequence - 1), of: page) }
    }
}

/// What a recorder keeps between two events.
private struct Settled {
    var rendered: Value.Object = [:]
    var values: Value.Object = [:]
    var outcome = Outcome.none

    /// The alert and the destination of the last event. On the heap, since most events have neither.
    indirect enum Outcome {
        case none
        case shown(alert: Message?, destination: ResponseRecorder.Destination?)

        init(alert: Message?, destination: ResponseRecorder.Destination?) {
            self = alert == nil && destination == nil ? .none : .shown(alert: alert, destination: destination)
        }
    }

    var alert: Message? {
        if case .shown(let alert, _) = outcome { alert } else { nil }
    }

    var destination: ResponseRecorder.Destination? {
        if case .shown(_, let destination) = outcome { destination } else { nil }
    }

    /// Shows what an event has shown. The alert and the destination of the event before are gone then.
    mutating func apply(_ entries: ArraySlice<CommandHistory.Entry>, of page: String) {
        outcome = .none
        show(entries, of: page)
    }

    mutating func show(_ entries: ArraySlice<CommandHistory.Entry>, of page: String) {
        // By index, since each command would be copied otherwise.
        for index in entries.indices where entries[index].page.hasSameBytes(as: page) {
            switch entries[index].command {
            case .render(let key, let value, _): rendered.setValue(value, for: key)
            case .showAlert(let message): outcome = .shown(alert: message, destination: destination)
            case .goToPage(let name, let values):
                outcome = .shown(alert: alert, destination: .init(name: name, values: values))
            }
        }
    }

    /// Has the fields keep values, unless they are secret.
    mutating func fill(_ values: Value.Object, dropping secrets: [String]) {
        for member in values.members where !secrets.contains(member.name) {
            self.values.setValue(member.value, for: member.name)
        }
    }

    /// The bytes that the state takes on the heap.
    var memorySize: Int {
        var size = rendered.memorySize + values.memorySize
        if case .shown(let alert, let destination) = outcome {
            size += Value.bufferSize + MemoryLayout<(Message?, ResponseRecorder.Destination?)>.size
            if let alert { size += alert.memorySize }
            if let destination { size += destination.name.memorySize + destination.values.memorySize }
        }
        return size
    }
}
