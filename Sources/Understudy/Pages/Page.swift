public import BusinessLogic

/// A page: a name under which a controller is served, and how to make one.
public final class Page: Sendable {
    /// The name, which is also the path: `login` answers at `/login`, below the service's prefix where it has one.
    public let name: String
    /// The events that its controller declares.
    public let events: [EventDeclaration]
    /// The fields that its events read, each once.
    public let fields: [Field]

    /// The names that a page cannot have, since the service has its own routes there.
    static let reservedNames: Set<String> = ["session", "livez", "readyz", "problems", "metrics", "validate"]

    let secrets: [String]
    /// The names of ``events`` and ``fields``, as they stand in a body.
    let eventNames, fieldNames: [[UInt8]]
    /// The place of the default event in ``events``.
    let defaultIndex: Int
    package let make: @Sendable (PageContext) -> any BusinessLogicController
    let decodeState: @Sendable (any Decoder) throws -> any Codable & Sendable
    /// The examples of each of ``events``.
    package let eventExamples: [@Sendable () -> [Value.Object]]
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
            !Self.reservedNames.contains(name),
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
        defaultIndex = events.firstIndex { $0.isDefault } ?? 0
        decodeState = { try Controller.State(from: $0) }
        eventExamples = table.rows.map(\.examples)
    }

    /// The place of an event in ``events``; of the default event for `nil`.
    ///
    /// - Throws: ``EventError/unknownEvent(_:events:)``.
    package func index(of event: Event?) throws(EventError) -> Int {
        guard let event else { return defaultIndex }
        // Element by element, none of which is copied on the way.
        for index in events.indices where events[index].event == event { return index }
        throw .unknownEvent(event, events: events.map(\.event))
    }

    /// The event that is meant if a request names none.
    var defaultEvent: EventDeclaration { events[defaultIndex] }

    package func field(_ name: String) -> Field? {
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
