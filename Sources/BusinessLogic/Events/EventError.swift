/// Why an event cannot be handled. The controller has not run, and nothing has changed.
public enum EventError: Error, Equatable, Sendable {
    /// The controller does not declare the event. It declares `events`.
    case unknownEvent(Event, events: [Event])
    /// Values are missing or invalid: at least one. The event reads `fields`.
    case invalidFields([FieldFault], fields: [String])

    /// A field that the event reads has no value. The event reads `fields`.
    public static func missingField(_ field: String, fields: [String]) -> EventError {
        .invalidFields([FieldFault(field, .missing)], fields: fields)
    }

    /// A field's value is not of the declared type. The event reads `fields`.
    public static func wrongFieldType(_ field: String, expected: ExpectedValue, fields: [String]) -> EventError {
        .invalidFields([FieldFault(field, .wrongType(expected))], fields: fields)
    }
}
