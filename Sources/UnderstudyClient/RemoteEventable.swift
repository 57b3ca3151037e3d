public import BusinessLogic

/// Business logic that a service runs: posts what happens on the screen, and has the screen do what the service answers.
///
/// It takes the place of a page's own controller, with that one line changed:
///
/// ```swift
/// eventable = LoginBusinessLogicController(credentials: accounts, clock: SystemClock())
/// eventable = RemoteEventable("login", in: session)
/// ```
///
/// Sending an event again where its answer got lost is safe: the service handles it once. Used by one task at a time; the
/// session may be shared with any others.
public final class RemoteEventable: Eventable {
    public weak var controllable: (any Controllable)?

    /// The page's name, which is also its path.
    public let page: String
    private let session: RemoteSession
    /// What the page accepts; learned with the first event.
    private var events: [(event: Event, reads: [String])]?

    /// The logic of a page.
    ///
    /// - Parameters:
    ///   - page: the page's name.
    ///   - session: the session that it is used in.
    public init(_ page: String, in session: RemoteSession) {
        self.page = page
        self.session = session
    }

    /// Has the service handle an event, with the fields that the event reads as the screen holds them now, and returns when
    /// the screen has been told everything that came of it, also if it failed in the end. Cancelling the task ends the request.
    ///
    /// - Throws: ``/BusinessLogic/EventError`` and ``/BusinessLogic/CollaboratorError`` as the local controller would;
    ///   else ``RemoteError``, or `CancellationError`.
    public func dispatchEvent(_ event: Event) async throws {
        let fields = try await fields(of: event)
        var values = Value.Object()
        for field in fields {
            guard let value = controllable?.getValue(field) else {
                throw EventError.missingField(field, fields: fields)
            }
            values[field] = value.isInexpressible ? .null : value
        }
        let delivery = try await session.handle(event, with: values, on: page)
        // What has come is shown, even if the rest cannot be painted now.
        if delivery.isOutdated { try? await refresh() }
        for command in delivery.commands { controllable?.perform(command) }
        if let failure = delivery.failure { throw failure.localError(of: event, reading: fields) ?? failure }
    }

    /// Paints what the page shows now: for a screen that is new where its session is not.
    ///
    /// - Throws: ``RemoteError``, or `CancellationError`.
    public func refresh() async throws {
        for (key, value) in try await session.show(page).rendered { controllable?.render(key, value) }
    }

    private func fields(of event: Event) async throws -> [String] {
        let events: [(event: Event, reads: [String])]
        if let known = self.events {
            events = known
        } else {
            events = try await session.show(page).events
            self.events = events
        }
        guard let declaration = events.first(where: { $0.event == event }) else {
            throw EventError.unknownEvent(event, events: events.map(\.event))
        }
        return declaration.reads
    }
}

extension Controllable {
    /// Does what the command says.
    fileprivate func perform(_ command: Command) {
        switch command {
        case .render(let key, _, let message?): render(key, message)
        case .render(let key, let value, nil): render(key, value)
        case .showAlert(let message): showAlert(message)
        case .goToPage(let name, let values): goToPage(name, values)
        }
    }
}

extension Value {
    /// Whether the value is a number that JSON has no words for.
    fileprivate var isInexpressible: Bool {
        if case .number(.double(let number)) = self { !number.isFinite } else { false }
    }
}
