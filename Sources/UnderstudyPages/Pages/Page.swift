public import BusinessLogic

/// A controller that is published under a name.
public final class Page: Sendable {
    /// The page's name, which is also its path: `login` is at `/login`, below the service's path prefix.
    public let name: String
    /// The events that clients may send.
    package let events: [EventDeclaration]
    /// ``events``, and then the updates that the controller declares. The index of an event is that in the controller's event table.
    package let declarations: [EventDeclaration]
    /// The fields that the events read, each once.
    package let fields: [FieldDeclaration]
    /// The outputs that the events render, each once.
    package let outputs: [PageOutput]

    /// All messages that the page may give: those that its events and rules declare, and those of its collaborators. Each code once.
    package let messages: [Message]

    /// The names that a page cannot have, because they are paths of the service's own routes.
    package static let reservedNames: Set<String> = [
        "session", "livez", "readyz", "problems", "metrics", "validate", "docs", "mcp",
    ]

    /// Whether an event may log a user in or out; `nil` if each page may whose controller receives the identity.
    package let changesUser: Bool?
    package let secrets: [String]
    package let secretOutputs: [String]
    let eventNames: [[UInt8]]
    /// Those of ``fields`` that accept every text of their length.
    let textFields: [TextField]
    let defaultIndex: Int
    package let inNavigation: Bool
    /// Is called after the end of a session whose key a page has asked for.
    package let onSessionEnd: (@Sendable (EndedSession) async throws -> Void)?
    package let make: @Sendable (PageContext) -> any BusinessLogicController
    package let eventExamples: [@Sendable () -> [Value.Object]]
    package let rules: [ValidationRule]
    package let resultExamples: @Sendable () -> [ResultExamples]

    /// Creates a page. The service calls `make` at a session's first event on the page, and again if that event failed.
    ///
    /// ```swift
    /// let page = Page("login") { context in
    ///     LoginBusinessLogicController(credentials: accounts, clock: SystemClock(), identity: context.identity)
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - name: the page's name, of ASCII letters, digits, `-` and `_`.
    ///   - inNavigation: whether the navigation of the HTML pages lists the page. Set it to `false` for a page that people reach from others, such
    ///     as the details of an order.
    ///   - rules: the rules that the page's events apply, for `POST /validate`.
    ///   - messages: the messages that the controller's collaborators may choose, for translators.
    ///   - changesUser: whether an event may log a user in or out. If not, a client can receive commands before the event has ended, and an
    ///     event that changes the user after that fails. `nil`, the default: if `make` reads ``PageContext/identity``.
    ///   - onSessionEnd: releases what a session holds. The service calls it at least once after the end of each session in which a page
    ///     has read ``PageContext/sessionKey``; for other sessions, it need not. A session ends if it expires, is evicted, or is ended by
    ///     the client or by a revocation; a logout ends what the former user's key stands for. It must have the same effect if it runs
    ///     again. If it throws, it runs again after a pause that grows. It runs outside of any event, and the next one waits for it: it should
    ///     return within seconds.
    ///   - resultExamples: what the controller's collaborators can return, for `understudy compare`.
    ///   - make: creates a session's controller. The service calls it on an event loop: it must not block.
    ///
    /// Traps if the name is empty, contains other characters or is a path of the service's own routes, if a field is called `event` or
    /// `values`, or if two events declare a field with different types.
    public init<Controller: BusinessLogicController>(
        _ name: String,
        inNavigation: Bool = true,
        rules: [ValidationRule] = [],
        messages: [Message] = [],
        changesUser: Bool? = nil,
        onSessionEnd: (@Sendable (EndedSession) async throws -> Void)? = nil,
        resultExamples: @autoclosure @escaping @Sendable () -> [ResultExamples] = [],
        make: @escaping @Sendable (PageContext) -> Controller
    ) {
        let isPlain = name.utf8.allSatisfy {
            $0.isASCIIAlphanumeric || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_")
        }
        requireDeclaration(
            !name.isEmpty && isPlain,
            "'\(name)' is not a valid page name: use only letters, digits, '-' and '_'"
        )
        requireDeclaration(
            !Self.reservedNames.contains(name),
            "'\(name)' cannot be a page's name: the service uses this name"
        )
        self.name = name
        self.inNavigation = inNavigation
        self.rules = rules
        self.changesUser = changesUser
        self.onSessionEnd = onSessionEnd
        self.make = make
        self.resultExamples = resultExamples
        let table = Controller.events
        events = table.declarations
        declarations = table.declarations + table.updates
        fields = Self.union(of: events, on: name)
        outputs = PageOutput.union(of: declarations, on: name)
        let declared = declarations.flatMap(\.gives).flatMap(\.messages) + rules.flatMap(\.messages) + messages
        for message in declared {
            requireDeclaration(
                Translations.isCode(message.code),
                "the message code '\(message.code)' of the page '\(name)' is not words with dots between them, such as 'order.sent'"
            )
        }
        self.messages = declared.unique(by: \.code)
        eventNames = events.map { Array($0.event.name.utf8) }
        textFields = fields.filter(\.acceptsEveryText).map { TextField($0) }
        secrets = fields.filter(\.isSecret).map(\.name)
        secretOutputs = outputs.filter(\.isSecret).map(\.key)
        defaultIndex = events.firstIndex { $0.isDefault } ?? 0
        eventExamples = table.rows.prefix(events.count).map(\.examples)
    }

    /// What ``FastSubmission`` and ``FastForm`` need to know of a field. Reading its declaration would copy it.
    struct TextField: Sendable {
        let name: String
        let bytes: [UInt8]
        /// In code points, as in the declaration.
        let maximumLength: Int

        fileprivate init(_ field: FieldDeclaration) {
            name = field.name
            bytes = Array(field.name.utf8)
            maximumLength = field.plainTextLength
        }
    }

    /// For `nil`, the index of the default event.
    package func index(of event: Event?) throws(EventError) -> Int {
        if let event { try events.index(of: event) } else { defaultIndex }
    }

    /// The index in ``declarations``.
    package func declarationIndex(of event: Event) throws(EventError) -> Int {
        if let update = updates.firstIndex(where: { $0.event == event }) { return update }
        return try index(of: event)
    }

    package var updates: ArraySlice<EventDeclaration> { declarations[events.count...] }

    package var destinations: [DestinationDeclaration] {
        declarations.flatMap(\.gives).compactMap {
            if case .goToPage(let destination) = $0 { destination } else { nil }
        }
    }

    /// A request that names no event means it.
    package var defaultEvent: EventDeclaration { events[defaultIndex] }

    package func field(_ name: String) -> FieldDeclaration? { fields.first { $0.name.hasSameBytes(as: name) } }

    private static func union(of events: [EventDeclaration], on page: String) -> [FieldDeclaration] {
        var fields: [FieldDeclaration] = []
        for field in events.flatMap(\.reads) {
            requireDeclaration(
                field.name != "event" && field.name != "values",
                "the page '\(page)' cannot have a field '\(field.name)': the wire format uses this name"
            )
            if let index = fields.firstIndex(where: { $0.name == field.name }) {
                guard let union = fields[index].union(field) else {
                    fatalError("the page '\(page)' declares '\(field.name)' with two types")
                }
                fields[index] = union
            } else {
                fields.append(field)
            }
        }
        return fields
    }
}
