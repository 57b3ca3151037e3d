/// Something that happened on a screen: a button pressed, editing ended, the view loaded.
///
/// An event names what happened and carries nothing: the controller asks its screen for the values it needs.
public struct Event: Hashable, Codable, Sendable, ExpressibleByStringLiteral {
    /// The name under which the controller declares the event.
    public let name: String

    /// The event of that name.
    public init(_ name: String) {
        self.name = name
    }

    /// The event of that name.
    public init(stringLiteral name: String) {
        self.name = name
    }

    /// Whether the names have the same bytes: a client may send any name.
    public static func == (left: Event, right: Event) -> Bool {
        left.name.hasSameBytes(as: right.name)
    }

    public func hash(into hasher: inout Hasher) {
        for byte in name.utf8 { hasher.combine(byte) }
    }
}
