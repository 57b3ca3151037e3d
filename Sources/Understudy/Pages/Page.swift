public import BusinessLogic

/// A page: a name under which a controller is served, and how to make one.
public final class Page: Sendable {
    /// The name, which is also the path: `login` answers at `/login`, below the service's prefix where it has one.
    public let name: String
    /// The events that its controller declares.
    public let events: [EventDeclaration]
    /// The fields that its events read, each once.
    public let fields: [Field]

    let secrets: [String]
    /// The names of ``events`` and ``fields``, as they stand in a body.
    let eventNames, fieldNames: [[UInt8]]
    let defaultEvent: EventDeclaration
    package let make: @Sendable (PageContext) -> any BusinessLogicController
    let decodeState: @Sendable (any Decoder) throws -> any Codable & Sendable
    /// The examples of each of ``events``.
    let eventExamples: [@Sendable () -> [Value.Object]]
    /// The rules that the page registers for `POST /validate`.
    let rules: [ValidationRule]
    /// Requests with their answers, for the OpenAPI document.
    let examples: @Sendable () -> [PageExample]

    /// A page, served by controllers that `make` makes: one for each session that uses the page.
    ///
    /// ```swift
    /// let page = Page("login") { context in
    ///     LoginBusinessLogicController(credentials: accounts, clock: SystemClock(), identity: context.identity)
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - name: the name, of ASCII letters, digits, `-` and `_`.
    ///   - rules: the rules that the page's events apply, for `POST /validate`.
    ///   - make: makes the controller of a session.
    ///
    /// Pages are a programmer's work, so that a name that cannot be served stops the program here: one that is not made of
    /// letters, digits, `-` and `_`, or that the service uses itself; a field called `event` or `values`; a field that two
    /// events declare with different kinds.
    public convenience init<Controller: BusinessLogicController>(
        _ name: String,
        rules: [ValidationRule] = [],
        make: @escaping @Sendable (PageContext) -> Controller
    ) {
        self.init(name, rules: rules, examples: [], make: make)
    }

    /// A page with examples, which are true for it.
    package init<Controller: BusinessLogicController>(
        _ name: String,
        rules: [ValidationRule] = [],
        examples: @autoclosure @escaping @Sendable () -> [PageExample],
        make: @escaping @Sendable (PageContext) -> Controller
    ) {
        let isPlain = name.utf8.allSatisfy {
            $0.isASCIIAlphanumeric || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_")
        }
        precondition(!name.isEmpty && isPlain, "'\(name)' cannot be a page's name: letters, digits, '-' and '_' can")
        precondition(
            !Route.reservedNames.contains(name),
            "'\(name)' cannot be a page's name: the service uses it itself"
        )
        self.name = name
        self.rules = rules
        self.make = make
        self.examples = examples
        let table = Controller.events
        events = table.declarations
        fields = Self.union(of: events, on: name)
        eventNames = events.map { Array($0.event.name.utf8) }
        fieldNames = fields.map { Array($0.name.utf8) }
        secrets = fields.filter(\.isSecret).map(\.name)
        defaultEvent = events.first { $0.isDefault } ?? events[0]
        decodeState = { try Controller.State(from: $0) }
        eventExamples = table.rows.map(\.examples)
    }

    /// What the controller declares of an event.
    ///
    /// - Throws: ``EventError/unknownEvent(_:events:)``.
    func declaration(of event: Event?) throws -> EventDeclaration {
        guard let event else { return defaultEvent }
        guard let index = index(of: event) else {
            throw EventError.unknownEvent(event, events: events.map(\.event))
        }
        return events[index]
    }

    /// The place of an event in ``events``.
    func index(of event: Event) -> Int? {
        // Element by element, none of which is copied on the way.
        for index in events.indices where events[index].event == event { return index }
        return nil
    }

    func field(_ name: String) -> Field? {
        fields.first { $0.name.hasSameBytes(as: name) }
    }

    private static func union(of events: [EventDeclaration], on page: String) -> [Field] {
        var fields: [Field] = []
        for field in events.flatMap(\.reads) {
            precondition(
                field.name != "event" && field.name != "values",
                "the page '\(page)' cannot have a field '\(field.name)': the wire format uses it itself"
            )
            if let index = fields.firstIndex(where: { $0.name == field.name }) {
                let known = fields[index]
                precondition(known.kind == field.kind, "the page '\(page)' declares '\(field.name)' as two kinds")
                fields[index] = Field(
                    field.name,
                    field.kind,
                    isOptional: known.isOptional || field.isOptional,
                    isSecret: known.isSecret || field.isSecret,
                    maximumLength: max(known.maximumLength, field.maximumLength)
                )
            } else {
                fields.append(field)
            }
        }
        return fields
    }
}

/// What a page's controller can be given of the session that it is made for.
public struct PageContext {
    /// Who is logged in, shared by all controllers of the session.
    public let identity: any Identity

    /// The way by which the answers of collaborators of one's own get into a recording.
    public let answers: Answers

    package init(identity: any Identity, tape: CollaboratorLog? = nil) {
        self.identity = identity
        answers = Answers(tape: tape)
    }
}

extension UInt8 {
    /// Whether the byte is an ASCII letter or digit.
    var isASCIIAlphanumeric: Bool {
        switch self {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default:
            false
        }
    }
}
