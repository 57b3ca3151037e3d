/// A value that all pages of a session share, with its name and its initial value.
///
/// ```swift
/// let onboarding = SessionValue("onboarding", Onboarding())
///
/// func onboardingPages(codes: any CodeSending) -> [Page] {
///     [
///         Page("number") { NumberController(onboarding: $0[onboarding], codes: codes) },
///         Page("code") { CodeController(onboarding: $0[onboarding]) },
///         Page("profile") { ProfileController(onboarding: $0[onboarding]) },
///     ]
/// }
/// ```
///
/// Use a value type: the session cannot detect or undo changes inside a class.
public struct SessionValue<Content: Codable & Sendable>: Sendable {
    /// The name under which the session stores the value.
    let name: String
    /// The value of a new session.
    let initial: Content

    /// Declares a value of a session.
    ///
    /// - Parameters:
    ///   - name: the name under which the session stores it. No two values of a session may have the same name.
    ///   - initial: the value of a new session.
    public init(_ name: String, _ initial: Content) {
        self.name = name
        self.initial = initial
    }
}

/// A session's value, which the controllers of several pages share. If an event fails, the value is as before.
///
/// Not thread-safe: only one task may use a session's values at a time.
public final class Shared<Content: Codable & Sendable> {
    /// The current value.
    public var value: Content {
        willSet { if before == nil { before = value } }
    }

    /// The value before the current event, if the event has set it.
    private var before: Content?

    /// Creates a value that belongs to no session, for a test or a phone.
    public init(_ value: Content) {
        self.value = value
    }
}

extension Shared: SharedContent {
    var hasChanged: Bool { before != nil }

    func commit() {
        before = nil
    }

    func rollBack() {
        if let before { value = before }
        before = nil
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
