/// A controller: it receives a screen's events, and gives commands to its ``Controllable``.
///
/// Only one task may use it at a time. The protocol is from the article "Unit Testing iOS UIViewControllers".
public protocol Eventable: AnyObject, SendableMetatype {
    /// The screen that the controller drives. Declare it `weak`, because the screen owns its controller.
    var controllable: (any Controllable)? { get set }

    /// Handles an event. Returns when the controller has finished, including its asynchronous work.
    ///
    /// - Throws: ``EventError`` if the event cannot be handled, otherwise the error of a collaborator.
    func dispatchEvent(_ event: Event) async throws
}

/// An ``Eventable`` that declares its events in a table, and whose state can be saved and restored.
public protocol BusinessLogicController: Eventable {
    /// Everything that the controller stores from one event to the next.
    associatedtype State: Codable & Sendable

    /// The events that the controller handles. The default ``Eventable/dispatchEvent(_:)`` uses them.
    static var events: EventTable<Self> { get }

    /// Everything that the controller stores from one event to the next. To restore a controller, set the state of a new one.
    var state: State { get set }

    /// The bytes that ``state`` takes on the heap, or `nil` for an estimate. The default is `nil`; without a state, 0.
    ///
    /// A service limits the memory of a session. If this is `nil`, it encodes the state after each event to estimate its size,
    /// which is slower.
    var stateMemorySize: Int? { get }

    /// The version of ``State``, from 1, which is the default. Raise it if a state that was saved before cannot be decoded any more,
    /// or means something else.
    ///
    /// A service saves the version with the state. If a saved state has an earlier version, ``migrateState(_:from:)`` converts it. If
    /// it has a later one, because an earlier version of the program is running again, the page starts afresh.
    static var stateVersion: Int { get }

    /// Converts a state that an earlier version of the controller has saved. The default returns it unchanged.
    ///
    /// - Parameters:
    ///   - saved: the state as `JSONEncoder` has written it.
    ///   - version: the state's version, lower than ``stateVersion``.
    /// - Returns: the state as `JSONEncoder` writes it in the current version.
    /// - Throws: any error, if the state cannot be converted. Then the page starts afresh.
    static func migrateState(_ saved: Value, from version: Int) throws -> Value

    /// Calls an event's handler, for a service, which has checked the fields that the event reads. Use the default implementation.
    ///
    /// A requirement, so that the controller's module contains code for its type and its state, which is faster than general code.
    ///
    /// - Parameters:
    ///   - index: the row's index in the event table.
    ///   - finish: completes the event after the handler. If it throws, the event has failed as well.
    /// - Throws: what the handler or `finish` throws, after the controller's state has been restored.
    func handleEvent<Result>(at index: Int, finish: () throws -> Result) async throws -> Result
}

/// The state of a controller that stores nothing between events.
public struct NoState: Codable, Equatable, Sendable {
    init() {}
}

extension BusinessLogicController {
    public var stateMemorySize: Int? { nil }

    public static var stateVersion: Int { 1 }

    public static func migrateState(_ saved: Value, from version: Int) throws -> Value { saved }
}

extension BusinessLogicController where State == NoState {
    public var stateMemorySize: Int? { 0 }

    /// An empty state.
    public var state: NoState {
        get { NoState() }
        set { _ = newValue }
    }
}

extension BusinessLogicController {
    /// Checks the fields that the event reads, and calls the event's handler.
    ///
    /// If the handler throws, the controller's state is restored, so that the event can be sent again. The screen has already
    /// received the commands that the handler gave before; a ``ResponseRecorder`` removes them.
    public func dispatchEvent(_ event: Event) async throws {
        let index = try Self.events.index(of: event)
        let screen = controllable
        try Self.events.rows[index].declaration.requireFields(in: Value.Object(), or: screen)
        try await runEvent(at: index)
    }

    // Inlined into the controller's conformance, which saves an asynchronous call.
    @inlinable
    @inline(__always)
    public func handleEvent<Result>(at index: Int, finish: () throws -> Result) async throws -> Result {
        let before = state
        do {
            let rows = Self.events.rows
            try await rows[index].handle(self, rows[index].declaration)
            return try finish()
        } catch {
            state = before
            throw error
        }
    }
}
