/// The values that the pages of a session share.
///
/// A service creates them. In a test or on a phone, create them for your controllers:
///
/// ```swift
/// let values = SessionValues()
/// let controller = OrderController(orders: values[orders], clock: clock)
/// ```
///
/// Not thread-safe: only one task may use them at a time.
public final class SessionValues {
    private var shared: [(name: String, version: Int, value: any SharedContent)] = []
    /// The values of a restored session that no page has requested yet; `nil` if there are none, as in most sessions.
    private var saved: Saved?
    /// Whether a page has requested a value for the first time since the last event.
    private var hasNew = false
    /// The name of a value that a page has requested with another type.
    private var conflict: String?
    /// The bytes that the values took after the last event, as their owner has measured them.
    package var lastSize = 0

    /// Decodes a saved value. The last argument is the initial value, which has the members that the saved one lacks.
    package typealias Decode = (Value, any (Codable & Sendable).Type, any Codable & Sendable) throws -> any Codable
        & Sendable

    private final class Saved {
        var values: Value.Object
        /// Their versions; those that are not 1.
        let versions: Value.Object
        let decode: Decode
        let onFailure: (String, any Error) -> Void

        init(
            _ values: Value.Object,
            _ versions: Value.Object,
            _ decode: @escaping Decode,
            _ onFailure: @escaping (String, any Error) -> Void
        ) {
            self.values = values
            self.versions = versions
            self.decode = decode
            self.onFailure = onFailure
        }

        func version(of name: String) -> Int { versions[name]?.integer ?? 1 }
    }

    /// The session's keys; `nil` if no page has asked for one, as in most sessions.
    private var keys: Keys?

    private final class Keys {
        var current: String?
        /// The key of a user who has logged out; `nil` if that user's session had none.
        var former: String?

        init(_ current: String) {
            self.current = current
        }
    }

    /// The values of a new session.
    public init() {}

    package var key: String? { keys?.current }

    /// The session's key, which this creates if no page has asked for it before: 32 random hexadecimal digits.
    package func requireKey() -> String {
        if let key { return key }
        let new = Self.newKey()
        restoreKey(new)
        return new
    }

    package func restoreKey(_ key: String?) {
        if let keys { keys.current = key } else { keys = key.map(Keys.init) }
    }

    /// Removes and returns the key, because the session has ended.
    package func takeKey() -> String? { keys?.current.take() }

    /// Removes and returns the key of a user who has logged out.
    package func takeFormerKey() -> String? { keys?.former.take() }

    private static func newKey() -> String { (0..<16).map { _ in UInt8.random(in: .min ... .max) }.hexadecimalDigits }

    /// Replaces all values by those of a saved session, which ``encoded(_:)`` and ``versions`` have returned.
    ///
    /// - Parameter onFailure: is called for each value that cannot be restored, with its name, when a page requests it.
    package func restore(
        _ saved: Value.Object,
        versions: Value.Object = [:],
        onFailure: @escaping (String, any Error) -> Void = { _, _ in },
        decode: @escaping Decode
    ) {
        shared = []
        self.saved = saved.isEmpty ? nil : Saved(saved, versions, decode, onFailure)
    }

    /// The session's value. If a page has requested one with the same name and another type, the event fails, or the next one if none runs.
    public subscript<Content>(value: SessionValue<Content>) -> Shared<Content> {
        if let known = shared.first(where: { $0.name == value.name }) {
            if let typed = known.value as? Shared<Content> { return typed }
            // Not a trap, because clients choose which pages a session uses.
            conflict = value.name
            return Shared(value.initial)
        }
        let new = Shared(restored(value) ?? value.initial)
        saved?.values[value.name] = nil
        shared.append((value.name, value.version, new))
        hasNew = true
        return new
    }

    /// Throws if a page has requested a value with a type that it does not have, since the last call.
    package func requireOneType() throws(SessionValueTypeError) {
        if let name = conflict.take() { throw SessionValueTypeError(name: name) }
    }

    private func restored<Content>(_ value: SessionValue<Content>) -> Content? {
        guard let saved, var json = saved.values[value.name] else { return nil }
        let version = saved.version(of: value.name)
        do {
            guard version <= value.version else { throw SavedVersionError(saved: version, known: value.version) }
            if version < value.version { json = try value.migrate(json, version) }
            return try saved.decode(json, Content.self, value.initial) as? Content
        } catch {
            saved.onFailure(value.name, error)
            return nil
        }
    }

    /// Whether the current event has set a value, or a page has requested one for the first time, so that the values may take other memory.
    package var mayHaveOtherSize: Bool { hasNew || hasChanged }

    package var hasChanged: Bool { shared.indices.contains { shared[$0].value.hasChanged } }

    package func commit() {
        for index in shared.indices { shared[index].value.commit() }
        hasNew = false
    }

    package func rollBack() {
        for index in shared.indices { shared[index].value.rollBack() }
        hasNew = false
    }

    /// Removes all values, and replaces the session's key, if it has one. Controllers that use them keep their own.
    package func removeAll() {
        shared = []
        saved = nil
        lastSize = 0
        guard let keys, let key = keys.current else { return }
        keys.former = key
        keys.current = Self.newKey()
    }

    package var isEmpty: Bool { shared.isEmpty && saved?.values.isEmpty ?? true }

    /// The current values, and those that were saved and not requested, by name. `encode` returns `nil` to leave a value out.
    package func encoded(_ encode: (any Codable & Sendable) -> Value?) -> Value.Object {
        var object = saved?.values ?? [:]
        for (name, _, value) in shared { object[name] = encode(value.content) }
        return object
    }

    /// The versions of these values, by name; those that are not 1. `nil` if all are.
    package var versions: Value.Object? {
        var versions: Value.Object = [:]
        if let saved {
            for (name, _) in saved.values where saved.version(of: name) != 1 { versions[name] = saved.versions[name] }
        }
        for (name, version, _) in shared where version != 1 { versions[name] = Value(version) }
        return versions.isEmpty ? nil : versions
    }

    package func memorySize(_ size: (any Codable & Sendable) -> Int) -> Int {
        var sum = saved?.values.memorySize ?? 0
        for (name, _, value) in shared { sum += Value.bufferSize + name.memorySize + size(value.content) }
        return sum
    }
}
