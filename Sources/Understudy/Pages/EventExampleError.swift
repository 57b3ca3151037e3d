public import BusinessLogic

/// An example of an event does not fit what the event reads: a programmer's mistake, in the event's declaration.
public struct EventExampleError: Error, Equatable, CustomStringConvertible, Sendable {
    /// What is wrong with an example.
    public enum Fault: Equatable, Sendable {
        /// It has a field that the event does not read.
        case unknownField(String)
        /// It lacks a field that the event reads, be it an optional one, which may hold null.
        case missingField(String)
        /// A field holds a value of another kind than the declared one.
        case wrongFieldType(String, expected: Field.Kind)
    }

    /// The event.
    public let event: Event
    /// The first of its examples that does not fit.
    public let example: Value.Object
    /// What is wrong with it.
    public let fault: Fault
    /// The fields that the event reads.
    public let fields: [String]

    /// What is wrong, in one line.
    public var description: String {
        let json = String(decoding: JSONWriter.bytes { $0.value(.object(example)) }, as: UTF8.self)
        let reads = fields.isEmpty ? "it reads none" : "it reads: " + fields.joined(separator: ", ")
        let what =
            switch fault {
            case .unknownField(let field): "has a field '\(field)', which the event does not read; \(reads)"
            case .missingField(let field): "lacks the field '\(field)', which the event reads; \(reads)"
            case .wrongFieldType(let field, let kind): "has no \(kind) in the field '\(field)'"
            }
        return "the example \(json) of the event '\(event.name)' \(what)"
    }

    /// Makes sure that the example has what the event reads and nothing else.
    static func check(_ example: Value.Object, of declaration: EventDeclaration) throws(EventExampleError) {
        let fields = declaration.reads.map(\.name)
        func error(_ fault: Fault) -> EventExampleError {
            EventExampleError(event: declaration.event, example: example, fault: fault, fields: fields)
        }
        for (name, _) in example where !fields.contains(name) { throw error(.unknownField(name)) }
        for field in declaration.reads {
            guard let value = example[field.name] else { throw error(.missingField(field.name)) }
            guard field.accepts(value) else { throw error(.wrongFieldType(field.name, expected: field.kind)) }
        }
    }
}
