/// Why an event was not handled. Nothing has run then, and nothing has changed.
public enum EventError: Error, Equatable, Sendable {
    /// The controller declares no such event; `events` are those that it does.
    case unknownEvent(Event, events: [Event])
    /// The event reads a field that has not been given; `fields` are those that it reads.
    case missingField(String, fields: [String])
    /// A field holds a value of another kind than the declared one; `fields` are those that the event reads.
    case wrongFieldType(String, expected: Field.Kind, fields: [String])
    /// A field holds a text of more Unicode code points than the maximum that it declares.
    case valueTooLong(String, maximum: Int)
}
