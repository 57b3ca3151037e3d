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
        let screen = Session.Screen(page, identity, SessionValues(), CollaboratorLog(isReplaying: true))
        try self.init(screen, identity, hasUser: user != nil)
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
        let (screen, _) = restored(page, CollaboratorLog(isReplaying: true))
        return screen.controller.possibleUpdates.compactMap { index in
            let event = page.declarations[index].event
            guard wanted?.contains(event) ?? true else { return nil }
            return EventExample(index: index, event: event, values: [:])
        }
    }

    /// A screen in this state.
    private func restored(_ page: Page, _ log: CollaboratorLog) -> (Session.Screen, SessionIdentity) {
        let identity = SessionIdentity(user: shown.user)
        let screen = Session.Screen(page, identity, SessionValues(snapshot: savedValues), log)
        screen.recorder.state = self.page.recorder
        screen.controller.restoreState(self.page.state)
        return (screen, identity)
    }

    /// What an event gives with certain results of collaborators.
    struct Outcome {
        var results: [CollaboratorLog.Entry]
        let commands: [Command]
        let after: PageStateSnapshot
    }

    /// Runs an event in this state, with each result of the collaborators that it calls.
    ///
    /// - Returns: the outcomes that differ in their commands or states.
    /// - Throws: what the controller throws; ``MissingResultExamples``; `EventError` if a value is too long; the error of encoding the
    ///   controller's state.
    func outcomes(of example: EventExample, on page: Page) async throws -> [Outcome] {
        var outcomes: [Outcome] = []
        var open: [[CollaboratorLog.Entry]] = [[]]
        while let results = open.popLast() {
            switch try await run(example, on: page, with: results) {
            case .outcome(let outcome):
                let isKnown = outcomes.contains { $0.commands == outcome.commands && $0.after.key == outcome.after.key }
                if !isKnown { outcomes.append(outcome) }
            case .missing(let collaborator):
                var accepted: [[CollaboratorLog.Entry]] = []
                let (declared, usual) = page.possibleResults(of: collaborator)
                for values in [declared, usual] where accepted.isEmpty {
                    for value in values {
                        let extended = results + [CollaboratorLog.Entry(collaborator, .success(value))]
                        if case .invalid = try await run(example, on: page, with: extended) { continue }
                        accepted.append(extended)
                    }
                }
                guard !accepted.isEmpty, results.count < 8 else {
                    throw MissingResultExamples(page: page.name, event: example.event, collaborator: collaborator)
                }
                open += accepted.reversed()
            case .invalid: break
            }
        }
        return outcomes
    }

    private enum Run {
        case outcome(Outcome)
        /// A collaborator was called for which there is no further result.
        case missing(String)
        /// A result is of another type.
        case invalid
    }

    /// Runs an event in this state, with those results of collaborators.
    private func run(_ example: EventExample, on page: Page, with results: [CollaboratorLog.Entry]) async throws -> Run
    {
        let log = CollaboratorLog(isReplaying: true)
        let (screen, identity) = restored(page, log)
        log.put(results)
        try page.declarations[example.index].requireFields(in: example.values, or: nil)
        var commands: [Command] = []
        var failure: (any Error)?
        do {
            try await screen.recorder.runEvent(
                page.declarations[example.index],
                with: example.values,
                dropping: page.secrets,
                sessionValues: screen.sessionValues
            ) {
                _ = try await screen.controller.handleEvent(at: example.index)
                commands = screen.recorder.eventCommands.map(\.command)
            }
        } catch {
            failure = error
        }
        if let call = log.missing.first(where: { !CollaboratorLog.Entry.isGenerator($0.collaborator) }) {
            return call.isInvalid ? .invalid : .missing(call.collaborator)
        }
        if let failure { throw failure }
        // A service starts the page afresh for the session's next user.
        let next = identity.hasLoggedOut ? Session.Screen(page, identity, SessionValues(), log) : screen
        let after = try PageStateSnapshot(next, identity, hasUser: hasUser)
        return .outcome(Outcome(results: results, commands: commands, after: after))
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
    fileprivate convenience init(
        _ page: Page,
        _ identity: SessionIdentity,
        _ values: SessionValues,
        _ log: CollaboratorLog
    ) {
        self.init(page, history: CommandHistory(), identity: identity, values: values, log: log)
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
