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
    /// What is shown now: the last value rendered at each key, in the order of first rendering.
    public private(set) var rendered: Value.Object
    /// The alert that the last event showed.
    public private(set) var alert: Message?
    /// The page that the last event went to, with the values taken along.
    public private(set) var destination: Destination?
    /// What the screen's fields hold, in the order in which they were first filled.
    public private(set) var values: Value.Object

    /// What an event has rendered over. Not a tuple: what is done to arrays of those is looked up at run time.
    private struct Replaced {
        let key: String
        /// The value before; `nil` if nothing was rendered at the key.
        let value: Value?
    }

    // What is known of an event that is being handled. Not one optional value, which would be copied at each look.

    /// Whether an event is being handled.
    private var isHandling = false
    /// The number of the last command before it.
    private var start = 0
    /// The values that came with it.
    private var eventValues: Value.Object = [:]
    /// The alert and the destination of the event before.
    private var formerAlert: Message?
    private var formerDestination: Destination?
    /// What the event has rendered over, in order. The array is kept, so that an event needs no memory for it.
    private var replaced: [Replaced] = []
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
        rendered = [:]
        values = [:]
    }

    /// What the recorder holds besides the history; put back, it goes on where the other was.
    public var state: State {
        get { State(rendered: rendered, alert: alert, destination: destination, values: values) }
        set {
            rendered = newValue.rendered
            alert = newValue.alert
            destination = newValue.destination
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
        let old: Value?
        if let value {
            old = values.updateValue(value, for: key)
        } else {
            old = values[key]
            values[key] = nil
        }
        resize(key, from: old, to: value)
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
        isHandling = true
        start = history.sequence
        eventValues = values
        if alert != nil { swap(&alert, &formerAlert) }
        if destination != nil { swap(&destination, &formerDestination) }
    }

    /// Call when the event has been handled: has the fields keep its values.
    ///
    /// - Parameter secrets: the names of fields that keep nothing.
    public func commitEvent(dropping secrets: [String] = []) {
        guard isHandling else { return }
        for (name, value) in eventValues where !secrets.contains(name) { setValue(value, for: name) }
        end()
    }

    /// Call when the event has failed: everything is as it was before ``beginEvent(with:)``.
    public func rollBackEvent() {
        guard isHandling else { return }
        history.removeAll(after: start)
        for replaced in replaced.reversed() {
            resize(replaced.key, from: rendered[replaced.key], to: replaced.value)
            rendered[replaced.key] = replaced.value
        }
        alert = formerAlert
        destination = formerDestination
        end()
    }

    private func end() {
        isHandling = false
        eventValues = [:]
        if !replaced.isEmpty { replaced.removeAll(keepingCapacity: true) }
        if formerAlert != nil { formerAlert = nil }
        if formerDestination != nil { formerDestination = nil }
    }

    /// The bytes that the recorder takes on the heap besides the history.
    package var memorySize: Int {
        contentSize + (alert?.memorySize ?? 0) + (destination.map { $0.name.memorySize + $0.values.memorySize } ?? 0)
    }

    /// The bytes by which the recorder will grow when the event that is being handled is committed.
    ///
    /// - Parameter secrets: as in ``commitEvent(dropping:)``.
    package func growth(dropping secrets: [String]) -> Int {
        var growth = 0
        for (name, value) in eventValues where !secrets.contains(name) {
            growth += Self.growth(name, from: values[name], to: value)
        }
        return growth
    }

    // MARK: What the logic tells the screen

    public func render(_ key: String, _ value: Value) {
        history.append(.render(key: key, value: value, message: nil), page: page)
        show(value, at: key)
    }

    public func render(_ key: String, _ message: Message) {
        history.append(.render(key, message), page: page)
        show(.string(message.text), at: key)
    }

    public func getValue(_ key: String) -> Value? {
        (isHandling ? eventValues[key] : nil) ?? values[key]
    }

    public func showAlert(_ message: Message) {
        history.append(.showAlert(message), page: page)
        alert = message
    }

    public func goToPage(_ name: String, _ values: Value.Object) {
        history.append(.goToPage(name, values), page: page)
        destination = Destination(name: name, values: values)
    }

    private func show(_ value: Value, at key: String) {
        let old = rendered.updateValue(value, for: key)
        resize(key, from: old, to: value)
        if isHandling { replaced.append(Replaced(key: key, value: old)) }
    }

    /// Notes that a member has another value, or is there no more.
    private func resize(_ key: String, from old: Value?, to new: Value?) {
        contentSize += Self.growth(key, from: old, to: new)
    }

    /// The bytes by which an object grows whose member gets another value, or is added or removed.
    private static func growth(_ key: String, from old: Value?, to new: Value?) -> Int {
        func size(_ value: Value?) -> Int {
            value.map { $0.memorySize + key.memorySize + Value.Object.memberSize } ?? 0
        }
        return size(new) - size(old)
    }
}
