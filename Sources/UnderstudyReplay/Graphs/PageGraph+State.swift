public import BusinessLogic
import FoundationEssentials
import UnderstudyPages
import UnderstudySessions

extension PageGraph {
    /// A page's state between two events: its controller's state without times, the session's values, and what its screen shows.
    ///
    /// It contains neither the values of fields, because each event is sent with all its values, nor the alert and the
    /// destination, which belong to an event.
    public struct State: Equatable, Sendable {
        /// The members of the controller's state and of the session's values that it uses, without those that are null. All times have the
        /// same text. A state that is not an object is the member `state`. The name of a session's value begins with `session`.
        public let members: Value.Object
        /// The user who is logged in. In a graph that starts without a user, always `nil`.
        public let user: User?
        /// What the screen shows: for each key, the value of the latest `render` command, sorted by
        /// key.
        public let rendered: Value.Object
        /// The smallest number of events that lead from the first state to this one.
        public internal(set) var depth = 0
        /// Identifies the state: also by members that are null.
        let outline: Value

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
            let shown = Value.object(screen.recorder.rendered).sorted
            rendered = shown.object ?? [:]
            let encoder = JSONEncoder()
            encoder.outputFormatting = .sortedKeys
            encoder.marksTimes()
            func encoded(_ value: any Encodable) throws -> Value { try JSONReader.read(Array(encoder.encode(value))) }
            let state = try encoded(screen.controller.state)
            var members = state.members(named: "state")
            for (name, value) in session.values.encoded({ try? encoded($0) }) {
                for member in value.members(named: "") {
                    members[member.name.isEmpty ? "session \(name)" : "session \(name).\(member.name)"] = member.value
                }
            }
            self.members = members
            let parts: Value = [
                state.withoutTimes, .object(members), shown, Value(user?.username),
            ]
            outline = parts.sorted
        }
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
