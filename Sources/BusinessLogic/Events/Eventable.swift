/// Business logic without a screen: it is told what happened, and tells its ``Controllable`` what to show.
///
/// (Article "Unit Testing iOS UIViewControllers".) It is used by one task at a time.
public protocol Eventable: AnyObject {
    /// The screen, or what stands in for it. Keep it weakly: the screen owns its logic.
    var controllable: (any Controllable)? { get set }

    /// Call when something happened on the screen. Returns when the event has been handled, which may be after a
    /// repository has answered.
    ///
    /// - Throws: ``EventError`` where the event could not be handled and nothing ran; else what a collaborator threw.
    func dispatchEvent(_ event: Event) async throws
}

/// An ``Eventable`` that declares its events in a table, and whose state can be taken out and put back.
public protocol BusinessLogicController: Eventable {
    /// All that the controller remembers from one event to the next.
    associatedtype State: Codable & Sendable

    /// The events it handles. ``Eventable/dispatchEvent(_:)`` follows from it.
    static var events: EventTable<Self> { get }

    /// All that the controller remembers from one event to the next. Put back into a new controller, it makes
    /// that one go on where the other was.
    var state: State { get set }

    /// The bytes of memory that ``state`` takes; `nil` if the controller does not know. A service bounds the memory of a
    /// session, and estimates this after each event from what the state encodes, which takes longer. Unless implemented,
    /// `nil`.
    var stateMemorySize: Int? { get }
}

/// The state of a controller that remembers nothing.
public struct NoState: Codable, Equatable, Sendable {
    /// Nothing.
    public init() {}
}

extension BusinessLogicController {
    public var stateMemorySize: Int? { nil }
}

extension BusinessLogicController where State == NoState {
    public var stateMemorySize: Int? { 0 }

    /// Nothing.
    public var state: NoState {
        get { NoState() }
        set { _ = newValue }
    }
}

extension BusinessLogicController {
    /// Finds the event's row, checks that the screen has the fields that the row reads, and does what the row says. If that
    /// fails, the controller remembers what it did before, so that the event can be sent again. The commands that it has given
    /// reach the screen at once; a ``ResponseRecorder`` drops them.
    public func dispatchEvent(_ event: Event) async throws {
        let index = try Self.events.index(of: event)
        let screen = controllable
        try Self.events.rows[index].declaration.requireFields { screen?.getValue($0) }
        try await handleEvent(at: index) {}
    }

    /// Does what a row of the event table says. The caller has checked the fields that the row reads.
    ///
    /// - Parameters:
    ///   - index: the row's place.
    ///   - accept: called when the event has been handled; throws if its outcome must not be kept.
    /// - Throws: what the row's handler or `accept` throws; the controller remembers what it did before then.
    package func handleEvent(at index: Int, accept: () throws -> Void) async throws {
        let before = state
        do {
            try await Self.events.rows[index].handle(self)
            try accept()
        } catch {
            state = before
            throw error
        }
    }

    /// The text in the screen's field; `nil` if the field contains no text.
    public func text(_ key: String) -> String? {
        controllable?.getValue(key)?.string
    }
}

extension EventDeclaration {
    /// Makes sure that every field that the event reads is there, of its kind and not too long.
    ///
    /// - Parameter value: the value of the field of that name.
    package func requireFields(_ value: (String) -> Value?) throws(EventError) {
        for index in reads.indices {
            guard let value = value(reads[index].name) else {
                throw .missingField(reads[index].name, fields: reads.map(\.name))
            }
            guard reads[index].accepts(value) else {
                throw .wrongFieldType(reads[index].name, expected: reads[index].kind, fields: reads.map(\.name))
            }
            if reads[index].isTooLong(value) {
                throw .valueTooLong(reads[index].name, maximum: reads[index].maximumLength)
            }
        }
    }
}
