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
    /// What the screen's fields hold, in the order in which they were first filled.
    public private(set) var values: Value.Object
    /// What the events that have been handled have left on the screen.
    private var screen = Screen()

    /// What is shown now: the last value rendered at each key, in the order of first rendering.
    public var rendered: Value.Object { current.rendered }
    /// The alert that the last event showed.
    public var alert: Message? { current.alert }
    /// The page that the last event went to, with the values taken along.
    public var destination: Destination? { current.destination }

    /// What is on the screen.
    private struct Screen {
        var rendered: Value.Object = [:]
        var alert: Message?
        var destination: Destination?

        /// Does what a command says.
        ///
        /// - Returns: what was rendered at the command's key before.
        @discardableResult
        mutating func show(_ command: Command) -> Value? {
            switch command {
            case .render(let key, let value, _): return rendered.updateValue(value, for: key)
            case .showAlert(let message): alert = message
            case .goToPage(let name, let values): destination = Destination(name: name, values: values)
            }
            return nil
        }
    }

    /// An event that is being handled.
    private struct OpenEvent {
        /// The number of the last command before it.
        let start: Int
        /// The values that came with it.
        let values: Value.Object
        /// The bytes of the history's content before it.
        let historySize: Int
    }

    private var event: OpenEvent?
    /// The bytes that ``rendered`` and ``values`` take on the heap.
    private var contentSize = 0

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

    /// The logic that this screen belongs to. Setting it makes this recorder its screen.
    public var eventable: (any Eventable)? {
        didSet { eventable?.controllable = self }
    }

    /// A screen on which nothing has happened yet.
    public init(page: String = "", history: CommandHistory = CommandHistory()) {
        self.page = page
        self.history = history
        values = [:]
    }

    /// What the recorder holds besides the history; put back, it goes on where the other was.
    public var state: State {
        get {
            State(rendered: screen.rendered, alert: screen.alert, destination: screen.destination, values: values)
        }
        set {
            screen.rendered = newValue.rendered
            screen.alert = newValue.alert
            screen.destination = newValue.destination
            values = newValue.values
            contentSize = newValue.rendered.memorySize + newValue.values.memorySize
        }
    }

    /// The commands received on this page, in order, as far as the history keeps them.
    public var commands: [Command] {
        history.kept.filter { $0.page == page }.map(\.command)
    }

    /// Fills a field, or empties it with `nil`.
    public func setValue(_ value: Value?, for key: String) {
        if let value { return resize(key, from: values.updateValue(value, for: key), to: value) }
        if let old = values[key] { contentSize -= Value.Object.memberSize + key.memorySize + old.memorySize }
        values[key] = nil
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
        beginEvent(with: values)
        do {
            try await eventable?.dispatchEvent(event)
        } catch {
            rollBackEvent()
            throw error
        }
        commitEvent()
    }

    // MARK: An event, all or nothing

    /// Call before the logic is told of an event otherwise than by ``dispatchEvent(_:with:)``. Either ``commitEvent(dropping:)``
    /// or ``rollBackEvent()`` must follow.
    ///
    /// - Parameter values: what was entered into fields.
    public func beginEvent(with values: Value.Object = [:]) {
        history.trim()
        event = OpenEvent(start: history.sequence, values: values, historySize: history.contentSize)
    }

    /// Call when the event has been handled: shows its commands, and has the fields keep its values.
    ///
    /// - Parameter secrets: the names of fields that keep nothing.
    public func commitEvent(dropping secrets: [String] = []) {
        guard let event = event.take() else { return }
        screen.alert = nil
        screen.destination = nil
        for entry in history.current(since: event.start) { show(entry.command) }
        for (name, value) in event.values where !secrets.contains(name) { setValue(value, for: name) }
    }

    /// Call when the event has failed: everything is as it was before ``beginEvent(with:)``.
    public func rollBackEvent() {
        guard let event = event.take() else { return }
        history.removeAll(after: event.start)
    }

    /// The bytes that the recorder takes on the heap besides the history.
    package var memorySize: Int {
        contentSize + (screen.alert?.memorySize ?? 0)
            + (screen.destination.map { $0.name.memorySize + $0.values.memorySize } ?? 0)
    }

    /// The bytes by which the event that is being handled may enlarge the recorder, at most.
    package var eventMemorySize: Int {
        guard let event else { return 0 }
        return history.contentSize - event.historySize + (history.sequence - event.start) * Value.Object.memberSize
            + event.values.memorySize
    }

    // MARK: What the logic tells the screen

    public func render(_ key: String, _ value: Value) {
        receive(.render(key, value))
    }

    public func render(_ key: String, _ message: Message) {
        receive(.render(key, message))
    }

    public func getValue(_ key: String) -> Value? {
        event?.values[key] ?? values[key]
    }

    public func showAlert(_ message: Message) {
        receive(.showAlert(message))
    }

    public func goToPage(_ name: String, _ values: Value.Object) {
        receive(.goToPage(name, values))
    }

    private func receive(_ command: Command) {
        history.append(command, page: page)
        if event == nil { show(command) }
    }

    private func show(_ command: Command) {
        let old = screen.show(command)
        if case .render(let key, let value, _) = command { resize(key, from: old, to: value) }
    }

    /// The screen with what the event that is being handled has shown so far.
    private var current: Screen {
        guard let event else { return screen }
        var current = screen
        (current.alert, current.destination) = (nil, nil)
        for entry in history.current(since: event.start) { current.show(entry.command) }
        return current
    }

    /// Notes that a member has a new value instead of the old one, if it had one.
    private func resize(_ key: String, from old: Value?, to value: Value) {
        contentSize += value.memorySize - (old?.memorySize ?? -(Value.Object.memberSize + key.memorySize))
    }
}
