/// A value that all pages of a session share, with its name and its initial value.
///
/// ```swift
/// let orders = SessionValue<[PlacedOrder]>("orders", [])
///
/// func orderPages(clock: any WallClock = SystemClock()) -> [Page] {
///     [
///         Page("order") { OrderController(orders: $0[orders], clock: $0.recorded(clock)) },
///         Page("orders") { OrdersController(orders: $0[orders]) },
///     ]
/// }
/// ```
///
/// Use a value type: the session cannot detect or undo changes inside a class.
public struct SessionValue<Content: Codable & Sendable>: Sendable {
    let name: String
    let initial: Content
    let version: Int
    let migrate: @Sendable (Value, Int) throws -> Value

    /// Declares a value of a session.
    ///
    /// A saved value that lacks members, because they were added later, has those of `initial`. If it cannot be decoded, or has a later
    /// version, the session gets `initial`; the service logs and counts that.
    ///
    /// - Parameters:
    ///   - name: the name under which the session stores it. No two values of a session may have the same name.
    ///   - initial: the value of a new session.
    ///   - version: the version of the type, from 1. Raise it if a value that was saved before cannot be decoded any more, or means
    ///     something else.
    ///   - migrate: converts a value of an earlier version, whose number it receives, as `JSONEncoder` has written it, to the current
    ///     version. If it throws, the session gets `initial`.
    public init(
        _ name: String,
        _ initial: Content,
        version: Int = 1,
        migrate: @escaping @Sendable (_ saved: Value, _ version: Int) throws -> Value = { saved, _ in saved }
    ) {
        self.name = name
        self.initial = initial
        self.version = version
        self.migrate = migrate
    }
}

/// A saved state or value has a later version than the program knows.
package struct SavedVersionError: Error, CustomStringConvertible {
    let saved: Int
    let known: Int

    package init(saved: Int, known: Int) {
        self.saved = saved
        self.known = known
    }

    package var description: String { "it has version \(saved), and the program knows versions up to \(known)" }
}

/// Two pages declare a session's value with different types.
package struct SessionValueTypeError: Error, CustomStringConvertible {
    let name: String

    package var description: String { "the session value '\(name)' is declared with two types" }
}

/// A session's value, which the controllers of several pages share. If an event fails, the value is as before.
///
/// Not thread-safe: only one task may use a session's values at a time.
public final class Shared<Content: Codable & Sendable> {
    /// The current value.
    public var value: Content {
        willSet {
            guard !hasChanged else { return }
            before = value
            hasChanged = true
        }
    }

    /// The value before the current event, if the event has set it.
    private var before: Content?
    // Stored, because each event asks, and a generic class takes hundreds of instructions to compare an optional with `nil`.
    fileprivate(set) var hasChanged = false

    /// Creates a value that belongs to no session, for a test or a phone.
    public init(_ value: Content) {
        self.value = value
    }
}

extension Shared: SharedContent {
    func commit() {
        guard hasChanged else { return }
        before = nil
        hasChanged = false
    }

    func rollBack() {
        guard let before else { return }
        value = before
        commit()
    }

    var content: any Codable & Sendable { value }
}

/// A shared value without its type.
protocol SharedContent: AnyObject {
    var hasChanged: Bool { get }
    func commit()
    func rollBack()
    var content: any Codable & Sendable { get }
}
