/// The values that the pages of a session share.
///
/// A service creates them. In a test or on a phone, create them for your controllers:
///
/// ```swift
/// let values = SessionValues()
/// let controller = ProfileController(onboarding: values[onboarding])
/// ```
///
/// Not thread-safe: only one task may use them at a time.
public final class SessionValues {
    private var shared: [(name: String, value: any SharedContent)] = []
    /// The values of a restored session that no page has requested yet; `nil` if there are none, as in most sessions.
    private var saved: Saved?

    private final class Saved {
        /// The values as they were saved.
        var values: Value.Object
        /// Decodes a saved value; returns `nil` if it is not of that type.
        let decode: (Value, any (Codable & Sendable).Type) -> (any Codable & Sendable)?

        init(
            _ values: Value.Object,
            _ decode: @escaping (Value, any (Codable & Sendable).Type) -> (any Codable & Sendable)?
        ) {
            self.values = values
            self.decode = decode
        }
    }

    /// The values of a new session.
    public init() {}

    /// Replaces all values by those of a saved session.
    ///
    /// - Parameters:
    ///   - saved: the values that ``encoded(_:)`` has returned.
    ///   - decode: decodes a saved value; returns `nil` if it is not of that type.
    package func restore(
        _ saved: Value.Object,
        decode: @escaping (Value, any (Codable & Sendable).Type) -> (any Codable & Sendable)?
    ) {
        shared = []
        self.saved = saved.isEmpty ? nil : Saved(saved, decode)
    }

    /// The session's value.
    ///
    /// - Precondition: no other value of the session with that name has another type.
    public subscript<Content>(value: SessionValue<Content>) -> Shared<Content> {
        if let known = shared.first(where: { $0.name == value.name }) {
            guard let typed = known.value as? Shared<Content> else {
                preconditionFailure("The session value '\(value.name)' is declared with two types")
            }
            return typed
        }
        let restored = saved.flatMap { saved in
            saved.values[value.name].flatMap { saved.decode($0, Content.self) as? Content }
        }
        saved?.values[value.name] = nil
        let new = Shared(restored ?? value.initial)
        shared.append((value.name, new))
        return new
    }

    /// Whether the current event has set a value.
    package var hasChanged: Bool { shared.contains { $0.value.hasChanged } }

    /// Keeps what the current event has set.
    package func commit() {
        for (_, value) in shared { value.commit() }
    }

    /// Undoes what the current event has set.
    package func rollBack() {
        for (_, value) in shared { value.rollBack() }
    }

    /// Removes all values. Controllers that use them keep their own.
    package func removeAll() {
        shared = []
        saved = nil
    }

    /// Whether the session has no values.
    package var isEmpty: Bool { shared.isEmpty && saved?.values.isEmpty ?? true }

    /// The current values, and those that were saved and not requested, by name.
    ///
    /// - Parameter encode: encodes a value; returns `nil` to leave it out.
    package func encoded(_ encode: (any Codable & Sendable) -> Value?) -> Value.Object {
        var object = saved?.values ?? [:]
        for (name, value) in shared { object[name] = encode(value.content) }
        return object
    }

    /// The bytes that the values take on the heap.
    ///
    /// - Parameter size: returns the bytes of one value.
    package func memorySize(_ size: (any Codable & Sendable) -> Int) -> Int {
        var sum = saved?.values.memorySize ?? 0
        for (name, value) in shared { sum += Value.bufferSize + name.memorySize + size(value.content) }
        return sum
    }
}
