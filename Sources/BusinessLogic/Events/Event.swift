/// Something that happened on a screen: a button pressed, editing ended, the view loaded.
///
/// An event contains only a name. The controller reads the values that it needs from its screen.
public struct Event: Hashable, Codable, Sendable, ExpressibleByStringLiteral {
    /// The name under which the controller declares the event.
    public let name: String

    /// Creates an event with that name.
    public init(_ name: String) {
        self.name = name
    }

    /// Creates an event with that name.
    public init(stringLiteral name: String) {
        self.name = name
    }

    /// Compares the bytes of the names: a client may send any name, and comparing characters can be slow.
    public static func == (left: Event, right: Event) -> Bool { left.name.hasSameBytes(as: right.name) }

    public func hash(into hasher: inout Hasher) {
        for byte in name.utf8 { hasher.combine(byte) }
    }
}
