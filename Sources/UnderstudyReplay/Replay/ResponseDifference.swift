import BusinessLogic
import UnderstudyPages

/// A part of a response that differs from what another version of the program gives. Both sides are JSON, or a description.
struct ResponseDifference: Equatable {
    /// The part: `command 2`, `errors`, `user`.
    let part: String
    let old: String
    let new: String
    /// What differs, without what varies from session to session.
    let cause: String

    var inSavedSession: ResponseDifference {
        ResponseDifference(
            part: "\(part), in a session that the old program has saved",
            old: old,
            new: new,
            cause: Self.savedSession + cause
        )
    }

    /// Does not say that the old program has saved the session.
    var causeInAnySession: String { String(cause.trimmingPrefix(Self.savedSession)) }

    static let savedSession = "saved session: "

    /// Whether only the updates differ that can run later.
    var isInUpdates: Bool { part == "updates" }
}

extension ResponseDifference {
    /// The cause begins with the kind; `nil` for the part.
    init(_ part: String, kind: String? = nil, _ old: ResponsePart, now new: ResponsePart) {
        let cause = "\(kind ?? part): \(old.difference(from: new))"
        self.init(part: part, old: old.text, new: new.text, cause: cause)
    }

    /// The first command that differs, or else the errors. `missing` is the collaborator without a result because of which the new response ends.
    init?(inCommandsOf old: Value.Object, and new: Value.Object, missing: String? = nil) {
        let commands = old["commands"]?.array ?? []
        let others = new["commands"]?.array ?? []
        let isRejectedAlike = ["problem", "failure"].allSatisfy { old[$0] == new[$0] }
        let index =
            (0..<max(commands.count, others.count)).first { commands[at: $0] != others[at: $0] }
            ?? (missing != nil || !isRejectedAlike ? commands.count : nil)
        if let index {
            let command = commands[at: index].map(ResponsePart.init(command:)) ?? ResponsePart(rejectionIn: old)
            let other =
                others[at: index].map(ResponsePart.init(command:)) ?? missing.map { ResponsePart($0) }
                ?? ResponsePart(rejectionIn: new)
            self.init("command \(index + 1)", kind: "command", command, now: other)
        } else if old.errors != new.errors {
            let (errors, others) = (ResponsePart(errors: old.errors), ResponsePart(errors: new.errors))
            self.init("errors", kind: "response", errors, now: others)
        } else {
            return nil
        }
    }

    init?(inUserOf old: Value.Object, and new: Value.Object) {
        let (user, other) = (old["user"] ?? .null, new["user"] ?? .null)
        guard user != other else { return nil }
        self.init("user", ResponsePart(user: user), now: ResponsePart(user: other))
    }

    /// Also if the collaborator is called less often.
    init(notCalled name: String) {
        let notCalled = "'\(name)' is not called, or less often"
        self.init(
            part: "collaborators",
            old: "'\(name)' is called",
            new: notCalled,
            cause: "collaborators: \(notCalled)"
        )
    }

    /// If `includingNew`, a rule that only the other response has is a difference.
    static func ofValidations(
        in old: Value.Object,
        and new: Value.Object,
        includingNew: Bool = false
    ) -> [ResponseDifference] {
        let (results, others) = (old["validations"]?.object ?? [:], new["validations"]?.object ?? [:])
        let names = results.map(\.name) + (includingNew ? others.map(\.name).filter { results[$0] == nil } : [])
        return names.filter { results[$0] != others[$0] }.map { name in
            let (result, other) = (ResponsePart(validation: results[name]), ResponsePart(validation: others[name]))
            return ResponseDifference("validation \(name)", result, now: other)
        }
    }
}

extension CollaboratorLog.Entry {
    /// Whether the collaborator with that name knows or does something, so that users can notice whether it is called.
    static func isDecision(_ name: String) -> Bool { name != "clock" && !isGenerator(name) }

    /// Whether a replay can go on without a result of the collaborator with that name.
    static func isGenerator(_ name: String) -> Bool { name == "random" || name == "sessionKey" }
}

extension Value.Object {
    fileprivate var errors: Value.Object {
        var errors: Value.Object = [:]
        for name in ["ok", "errors"] { errors[name] = self[name] }
        return errors
    }
}

extension Array {
    fileprivate subscript(at index: Int) -> Element? { indices.contains(index) ? self[index] : nil }
}
