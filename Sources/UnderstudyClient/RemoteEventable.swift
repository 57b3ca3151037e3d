public import BusinessLogic

/// A screen's business logic that runs on a service: sends events to a page, and executes the commands of the response on the
/// screen.
///
/// It replaces the local controller. Only this line of the screen changes:
///
/// ```swift
/// eventable = LoginBusinessLogicController(credentials: accounts, clock: SystemClock())
/// eventable = RemoteEventable("login", in: session)
/// ```
///
/// If a response is lost, the session sends the event again, and the service handles it once. Only one task at a time may use a
/// `RemoteEventable`. Several instances may share a session.
public final class RemoteEventable: Eventable {
    public weak var controllable: (any Controllable)?

    private let page: String
    private let session: RemoteSession
    /// They are requested before the first event.
    private var events: [(event: Event, reads: [PageResponse.Field])]?
    /// The keys that the screen has rendered for events that have failed, until it has rendered the page's current values.
    private var staleKeys: Set<String> = []

    /// Creates the logic of a page in a session. Sends nothing before the first event.
    ///
    /// - Parameters:
    ///   - page: the name of the page.
    ///   - session: the session, which the screens of one user share.
    public init(_ page: String, in session: RemoteSession) {
        self.page = page
        self.session = session
    }

    /// Sends an event to the page with the screen's current values of the fields that it reads. If the screen does not contain a
    /// value, and the field need not have one, sends the value that its absence means. Returns after the screen has executed all
    /// commands. Cancelling the task cancels the request.
    ///
    /// The screen renders values as soon as the page's controller does, such as that it is loading. Alerts and navigation, which cannot be
    /// taken back, wait until the event has succeeded, with all commands after them. If the event fails, the screen renders the page's
    /// current values again, and null for a key that has none.
    ///
    /// - Throws: ``/BusinessLogic/EventError`` and ``/BusinessLogic/CollaboratorError`` as the local controller would;
    ///   otherwise ``RemoteError``, or `CancellationError`. Commands that have arrived are executed nevertheless.
    public func dispatchEvent(_ event: Event) async throws {
        let fields = try await fields(of: event)
        var values = Value.Object()
        var missing: [FieldFault] = []
        for field in fields {
            // Without a value, the page would use the value that it has kept from an earlier event.
            if let value = controllable?.getValue(field.name) ?? field.whenAbsent {
                values[field.name] = value.sent(as: field.schema)
            } else {
                missing.append(FieldFault(field.name, .missing))
            }
        }
        if !missing.isEmpty { throw EventError.invalidFields(missing, fields: fields.map(\.name)) }
        let delivery = try await send(event, values)
        for command in delivery.commands { execute(command) }
        if let failure = delivery.failure {
            throw failure.localError(of: event, reading: fields.map(\.name)) ?? failure
        }
    }

    /// Executes the commands that the page gives without an event of this screen, when they arrive: those of its updates, and of events in other
    /// clients of the session. Returns when the task is cancelled.
    ///
    /// Call it while the screen is visible, on the actor of the screen: in SwiftUI `.task { await eventable.follow() }`. All screens of a session
    /// together wait with one request.
    public func follow() async {
        for await _ in await session.followUpdates(of: page) { try? await receiveUpdates(receiving: false) }
    }

    /// Executes the commands that the page has given without an event of this screen.
    ///
    /// - Throws: ``RemoteError`` or `CancellationError`.
    public func receiveUpdates() async throws { try await receiveUpdates(receiving: true) }

    private func receiveUpdates(receiving: Bool) async throws {
        let delivery = try await session.updates(of: page, receiving: receiving)
        if delivery.isOutdated { try await refresh() }
        for command in delivery.commands { execute(command) }
    }

    /// Sends an event, and executes the commands that arrive before it has ended. The result lacks these.
    private func send(_ event: Event, _ values: Value.Object) async throws -> RemoteSession.Delivery {
        let (early, show) = AsyncStream.makeStream(of: CommandResponse.Entry.self)
        let (session, page) = (session, page)
        async let result = session.handle(event, with: values, on: page, show: show)
        var executed: [CommandResponse.Entry] = []
        for await command in early {
            execute(command)
            executed.append(command)
        }
        do {
            var delivery = try await result
            markStale(executed.filter { !delivery.commands.contains($0) })
            // If refreshing fails, execute the commands that have arrived nevertheless: they arrive only once.
            if delivery.isOutdated || !staleKeys.isEmpty { try? await refresh() }
            delivery.commands.removeAll(where: executed.contains)
            return delivery
        } catch {
            markStale(executed)
            if !staleKeys.isEmpty { try? await refresh() }
            throw error
        }
    }

    private func execute(_ command: CommandResponse.Entry) {
        switch command.command {
        case .render(let key, _, let message?): controllable?.render(key, message)
        case .render(let key, let value, nil): controllable?.render(key, value)
        case .showAlert(let message): controllable?.showAlert(message)
        case .goToPage(let name, let values): controllable?.goToPage(name, values)
        case nil: break
        }
    }

    private func markStale(_ commands: [CommandResponse.Entry]) {
        for command in commands {
            if case .render(let key, _, _) = command.command { staleKeys.insert(key) }
        }
    }

    /// Renders the page's current values, for a new screen in an existing session.
    ///
    /// - Throws: ``RemoteError``, or `CancellationError`.
    public func refresh() async throws {
        let shown = try await session.show(page)
        for (key, value) in shown.rendered {
            if let text = value.string, let message = shown.messages[key]?.object?.message(text) {
                controllable?.render(key, message)
            } else {
                controllable?.render(key, value)
            }
        }
        for key in staleKeys.sorted() where !shown.rendered.contains(key) { controllable?.render(key, .null) }
        staleKeys = []
    }

    private func fields(of event: Event) async throws -> [PageResponse.Field] {
        if events == nil { events = try await session.show(page).events }
        let events = events ?? []
        guard let declaration = events.first(where: { $0.event == event }) else {
            throw EventError.unknownEvent(event, events: events.map(\.event))
        }
        return declaration.reads
    }
}
