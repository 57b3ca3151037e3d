import BusinessLogic
import FoundationEssentials
import UnderstudyPages
import UnderstudySessions

/// A page's state between two events, from which it can be restored.
struct PageStateSnapshot {
    /// The state as a graph shows it.
    let shown: PageGraph.State
    /// Identifies the state. Snapshots that differ only in times have the same key.
    let key: [UInt8]
    private let page: PageState
    /// The session's values with their times.
    private let savedValues: Value.Object
    /// Whether the graph shows the user, because it started with one.
    private let hasUser: Bool

    /// The controller's state, and everything that the screen stores.
    private struct PageState: Encodable {
        let state: any Codable & Sendable
        let recorder: ResponseRecorder.State

        private enum CodingKeys: CodingKey {
            case state, recorder
        }

        init(_ screen: Session.Screen) {
            state = screen.controller.anyState
            recorder = screen.recorder.state
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(recorder, forKey: .recorder)
            try state.encode(to: container.superEncoder(forKey: .state))
        }
    }

    /// The state of a page in a new session.
    ///
    /// - Throws: the error of encoding the controller's state.
    init(of page: Page, user: User?) throws {
        let identity = SessionIdentity(user: user)
        try self.init(Session.Screen(page, identity, SessionValues()), identity, hasUser: user != nil)
    }

    /// Takes a snapshot of a screen. Clears the values of its fields, its alert and its destination.
    private init(_ screen: Session.Screen, _ identity: SessionIdentity, hasUser: Bool) throws {
        self.hasUser = hasUser
        screen.recorder.clearEvent()
        page = PageState(screen)
        savedValues = screen.sessionValues.snapshot
        let encoded = try Array(Self.encoder.encode(page))
        let user = hasUser ? identity.user : nil
        let memory = try Self.memory(encoded)
        let sessionValues = screen.sessionValues.encoded { value in
            guard let data = try? Self.encoder.encode(value) else { return nil }
            return try? JSONReader.read(Array(data))
        }
        key = encoded + Value.object(sessionValues).json + Array((user?.username ?? "").utf8)
        var members = memory.members(named: "state", timed: try Self.memory(Array(JSONEncoder().encode(page))))
        for (name, value) in sessionValues {
            for member in value.members(named: "", timed: savedValues[name] ?? .null) {
                members[member.name.isEmpty ? "session \(name)" : "session \(name).\(member.name)"] = member.value
            }
        }
        shown = PageGraph.State(
            memory: memory,
            sessionValues: sessionValues,
            user: user,
            rendered: screen.recorder.rendered,
            members: members
        )
    }

    /// The updates that can become due in this state.
    ///
    /// - Parameter wanted: the updates to include; `nil` for all.
    func updates(of page: Page, _ wanted: Set<Event>?) -> [EventExample] {
        if page.updates.isEmpty { return [] }
        let (screen, _) = restored(page)
        return screen.controller.possibleUpdates.compactMap { index in
            let event = page.declarations[index].event
            guard wanted?.contains(event) ?? true else { return nil }
            return EventExample(index: index, event: event, values: [:])
        }
    }

    /// A screen in this state.
    private func restored(_ page: Page) -> (Session.Screen, SessionIdentity) {
        let identity = SessionIdentity(user: shown.user)
        let screen = Session.Screen(page, identity, SessionValues(snapshot: savedValues))
        screen.recorder.state = self.page.recorder
        screen.controller.restoreState(self.page.state)
        return (screen, identity)
    }

    /// Runs an event in this state.
    ///
    /// - Returns: the commands that it gave, and the state after it.
    /// - Throws: what the controller throws; `EventError` if a value is too long; the error of encoding the controller's state.
    func afterEvent(_ example: EventExample, on page: Page) async throws -> ([Command], PageStateSnapshot) {
        let (screen, identity) = restored(page)
        try page.declarations[example.index].requireFields(in: example.values, or: nil)
        var commands: [Command] = []
        try await screen.recorder.runEvent(
            page.declarations[example.index],
            with: example.values,
            dropping: page.secrets,
            sessionValues: screen.sessionValues
        ) {
            _ = try await screen.controller.handleEvent(at: example.index)
            commands = screen.recorder.eventCommands.map(\.command)
        }
        // A service starts the page afresh for the session's next user.
        let next = identity.hasLoggedOut ? Session.Screen(page, identity, SessionValues()) : screen
        return (commands, try PageStateSnapshot(next, identity, hasUser: hasUser))
    }

    /// The controller's state in an encoded snapshot.
    private static func memory(_ snapshot: [UInt8]) throws -> Value {
        try JSONReader.read(snapshot).object?["state"] ?? .null
    }

    private static var encoder: JSONEncoder {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        encoder.userInfo[.omitsTimestamps] = true
        encoder.dateEncodingStrategy = .custom { _, encoder in
            var container = encoder.singleValueContainer()
            try container.encodeNil()
        }
        return encoder
    }
}

extension BusinessLogicController {
    /// The state with its type erased.
    fileprivate var anyState: any Codable & Sendable { state }

    /// Restores a state that ``anyState`` has returned. Ignores a state of another type.
    fileprivate func restoreState(_ state: any Codable & Sendable) {
        if let state = state as? State { self.state = state }
    }
}

extension Session.Screen {
    /// A screen with its own history.
    fileprivate convenience init(_ page: Page, _ identity: SessionIdentity, _ values: SessionValues) {
        self.init(page, history: CommandHistory(), identity: identity, values: values)
    }
}

extension Value {
    /// The members that are not null. All times have the same text. A value that is not an object is the member `name`.
    ///
    /// - Parameter timed: the same value, in which times are not null.
    fileprivate func members(named name: String, timed: Value) -> Value.Object {
        guard case .object(let object) = self else { return [name: self == .null && timed != .null ? "a time" : self] }
        var members: Value.Object = [:]
        for (name, value) in object {
            if value != .null {
                members[name] = value
            } else if let time = timed.object?[name], time != .null {
                members[name] = "a time"
            }
        }
        return members
    }
}
