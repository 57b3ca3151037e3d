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

    /// A page that an event went to.
    public struct Destination: Equatable, Codable, Sendable {
        /// The page's name.
        public let name: String
        /// The values taken along.
        public let values: Value.Object
    }

    /// All that a recorder holds beside the history.
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

    /// What the recorder holds beside the history; put back, it goes on where the other was.
    public var state: State {
        get { State(rendered: rendered, alert: alert, destination: destination, values: values) }
        set {
            rendered = newValue.rendered
            alert = newValue.alert
            destination = newValue.destination
            values = newValue.values
        }
    }

    /// The commands received on this page, in order, as far as the history keeps them.
    public var commands: [Command] {
        history.kept.filter { $0.page == page }.map(\.command)
    }

    /// Fills a field, or empties it with `nil`.
    public func setValue(_ value: Value?, for key: String) {
        values[key] = value
    }

    /// Call when something happened on the screen. The alert and the destination of the event before are gone,
    /// unless the event is refused: then nothing has changed.
    ///
    /// - Throws: what ``Eventable/dispatchEvent(_:)`` throws.
    public func dispatchEvent(_ event: Event) async throws {
        let before = (alert, destination)
        beginEvent()
        do {
            try await eventable?.dispatchEvent(event)
        } catch let refusal as EventError {
            (alert, destination) = before
            throw refusal
        }
    }

    /// Call before the logic is told of an event by somebody else than ``dispatchEvent(_:)``.
    public func beginEvent() {
        alert = nil
        destination = nil
        history.trim()
    }

    public func render(_ key: String, _ value: Value) {
        rendered[key] = value
        history.append(.render(key, value), page: page)
    }

    public func render(_ key: String, _ message: Message) {
        rendered[key] = .string(message.text)
        history.append(.render(key, message), page: page)
    }

    public func getValue(_ key: String) -> Value? {
        values[key]
    }

    public func showAlert(_ message: Message) {
        alert = message
        history.append(.showAlert(message), page: page)
    }

    public func goToPage(_ name: String, _ values: Value.Object) {
        destination = Destination(name: name, values: values)
        history.append(.goToPage(name, values), page: page)
    }
}
