/// Something that changes and that controllers show, such as all products, or the free slots of a city.
///
/// A controller follows a topic by a row of its event table; see ``EventRow/update(_:on:gives:handle:)-(_,Topic,_,_)``. Code that changes the
/// data publishes the topic with a ``TopicPublisher``.
public struct Topic: Hashable, Sendable {
    /// What changes, such as `slots`.
    public let name: String
    /// Which part of it changes, such as a city; empty for all of it.
    public let key: String

    /// The maximum number of bytes of ``name`` and of ``key``, in UTF-8.
    public static let maximumLength = 256

    /// Creates a topic.
    ///
    /// Only the first ``maximumLength`` bytes of each text count: a key may contain what a client has entered.
    public init(_ name: String, key: String = "") {
        self.name = Self.shortened(name)
        self.key = Self.shortened(key)
    }

    private static func shortened(_ text: String) -> String {
        text.utf8.count <= maximumLength ? text : String(decoding: text.utf8.prefix(maximumLength), as: UTF8.self)
    }
}

extension Topic: ExpressibleByStringLiteral, CustomStringConvertible {
    /// Creates a topic without a key.
    public init(stringLiteral name: String) {
        self.init(name)
    }

    /// The name, and the key if it is not empty: `slots/Berlin`.
    public var description: String { key.isEmpty ? name : "\(name)/\(key)" }
}

/// Publishes topics.
///
/// To publish a topic says only that something has changed. Controllers that follow the topic read again what they show, so that a publication
/// too many does no harm, and several publications can result in one update.
public protocol TopicPublisher: Sendable {
    /// Publishes a topic, when the data has changed.
    ///
    /// In an event of a service with `--sessions database`, the topic is published when the event is committed, together with what its collaborators
    /// have written. Otherwise, it is published at once. Any number of tasks may call this at the same time.
    func publish(_ topic: Topic)
}
