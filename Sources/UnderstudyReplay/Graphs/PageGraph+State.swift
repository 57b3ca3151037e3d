public import BusinessLogic
import FoundationEssentials
import UnderstudyPages
import UnderstudySessions

extension PageGraph {
    /// A page's state between two events: its controller's state without times, the session's values, and what its screen shows.
    ///
    /// It contains neither the values of fields, because each event is sent with all its values, nor the alert and the
    /// destination, which belong to an event. It contains nothing that the graph ignores.
    public struct State: Equatable, Sendable {
        /// The controller's state. Times are null.
        public internal(set) var memory: Value
        /// The session's values that the controller uses, by name. Times are null.
        public internal(set) var sessionValues: Value.Object
        /// The user who is logged in. In a graph that starts without a user, always `nil`.
        public let user: User?
        /// What the screen shows: for each key, the value of the latest `render` command, sorted by
        /// key.
        public internal(set) var rendered: Value.Object
        /// The smallest number of events that lead from the first state to this one.
        public internal(set) var depth = 0
        /// The members of ``memory`` and ``sessionValues`` that are not null, in one object. All times have the same text. A state that
        /// is not an object is the member `state`.
        private(set) var members: Value.Object

        /// The state of a page in a session.
        ///
        /// - Parameters:
        ///   - showsUser: whether the state contains the user.
        /// - Throws: the error of encoding the controller's state.
        init(of page: Page, in session: Session, showsUser: Bool) throws {
            let screen =
                session.existingScreen(of: page)
                ?? Session.Screen(
                    page,
                    history: CommandHistory(),
                    identity: session.identity,
                    values: session.values,
                    log: session.log
                )
            user = showsUser ? session.identity.user : nil
            // A restored screen has lost the order of the keys.
            rendered = screen.recorder.rendered.sorted
            let encoder = JSONEncoder()
            encoder.outputFormatting = .sortedKeys
            encoder.marksTimes()
            func encoded(_ value: any Encodable) throws -> Value { try JSONReader.read(Array(encoder.encode(value))) }
            let state = try encoded(screen.controller.state)
            memory = state.withoutTimes
            let values = screen.sessionValues.encoded { try? encoded($0) }
            sessionValues = Value.object(values).withoutTimes.object ?? [:]
            members = state.members(named: "state")
            for (name, value) in values {
                for member in value.members(named: "") {
                    members[member.name.isEmpty ? "session \(name)" : "session \(name).\(member.name)"] = member.value
                }
            }
        }

        /// The names of all parts, as a diagram shows them.
        var names: [String] {
            (memory.object ?? [:]).map(\.name) + members.map(\.name) + rendered.map { "shows \($0.name)" }
                + sessionValues.map { "session \($0.name)" }
        }

        /// The state without certain parts.
        ///
        /// - Parameter names: the names of the parts, as a diagram shows them.
        func without(_ names: Set<String>) -> State {
            var state = self
            for name in names {
                state.rendered[name, after: "shows "] = nil
                state.sessionValues[name, after: "session "] = nil
                state.members[name] = nil
                for (path, _) in members where path.hasPrefix(name + ".") { state.members[path] = nil }
                if var memory = state.memory.object {
                    memory[name] = nil
                    state.memory = .object(memory)
                }
            }
            return state
        }

        /// Identifies the state.
        var outline: Value {
            // A state with a null is another one than a state without it.
            let user = user.map { Value.string($0.username) } ?? .null
            let parts: Value = [memory, .object(members), .object(rendered), user]
            return parts.sorted
        }
    }
}

extension Value.Object {
    /// The members, sorted by name, as all objects in them are.
    fileprivate var sorted: Value.Object { Value.object(self).sorted.object ?? self }

    /// The member whose name follows a prefix.
    fileprivate subscript(name: String, after prefix: String) -> Value? {
        get { name.hasPrefix(prefix) ? self[String(name.dropFirst(prefix.count))] : nil }
        set { if name.hasPrefix(prefix) { self[String(name.dropFirst(prefix.count))] = newValue } }
    }
}

extension Value {
    /// The members that are not null, without times in them. All times have the same text. A value that is not an object is the member `name`.
    fileprivate func members(named name: String) -> Value.Object {
        guard time == nil, case .object(let object) = self else { return [name: shown] }
        var members: Value.Object = [:]
        for (name, value) in object where value != .null { members[name] = value.shown }
        return members
    }

    private var shown: Value { time == nil ? withoutTimes : "a time" }

    /// The value with null in place of times.
    fileprivate var withoutTimes: Value { mapTimes { _ in .null } }
}
