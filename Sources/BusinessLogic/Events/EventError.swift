/// Why an event cannot be handled. The controller has not run, and nothing has changed.
public enum EventError: Error, Equatable, Sendable {
    /// The controller does not declare the event. It declares `events`.
    case unknownEvent(Event, events: [Event])
    /// A field that the event reads has no value. The event reads `fields`.
    case missingField(String, fields: [String])
    /// A field's value is not of the declared type. The event reads `fields`.
    case wrongFieldType(String, expected: ExpectedValue, fields: [String])
    /// A field's text has more Unicode code points than the field allows.
    case valueTooLong(String, maximum: Int)
}
