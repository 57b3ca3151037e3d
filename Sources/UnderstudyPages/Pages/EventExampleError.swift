public import BusinessLogic

/// An example in an event's declaration does not match the fields that the event reads.
public struct EventExampleError: Error, Equatable, CustomStringConvertible, Sendable {
    /// What is wrong with an example.
    public enum Fault: Equatable, Sendable {
        /// The example has a field that the event does not read.
        case unknownField(String)
        /// The example lacks a field that the event reads. An optional field may be null, but not missing.
        case missingField(String)
        /// A field's value is not valid.
        case invalidValue(FieldFault)
    }

    /// The event.
    public let event: Event
    /// The first example that does not match.
    public let example: Value.Object
    /// What is wrong with the example.
    public let fault: Fault
    /// The fields that the event reads.
    public let fields: [String]

    /// The error in one line.
    public var description: String {
        let json = String(decoding: JSONWriter.bytes { $0.value(.object(example)) }, as: UTF8.self)
        let reads = fields.isEmpty ? "it reads no fields" : "it reads: " + fields.joined(separator: ", ")
        let what =
            switch fault {
            case .unknownField(let field): "has a field '\(field)', which the event does not read; \(reads)"
            case .missingField(let field): "lacks the field '\(field)', which the event reads; \(reads)"
            case .invalidValue(let fault): "is invalid: \(fault.explanation)"
            }
        return "the example \(json) of the event '\(event.name)' \(what)"
    }

    /// Checks that the example contains exactly the fields that the event reads.
    static func check(_ example: Value.Object, of declaration: EventDeclaration) throws(EventExampleError) {
        let fields = declaration.reads.map(\.name)
        func error(_ fault: Fault) -> EventExampleError {
            EventExampleError(event: declaration.event, example: example, fault: fault, fields: fields)
        }
        for (name, _) in example where !fields.contains(name) { throw error(.unknownField(name)) }
        for field in declaration.reads {
            guard let value = example[field.name] else {
                if field.whenAbsent != nil { continue }
                throw error(.missingField(field.name))
            }
            var faults = FieldFaults()
            field.check(value, &faults)
            if let fault = faults.all.first { throw error(.invalidValue(fault)) }
        }
    }
}
