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

    /// The same difference in a session that the old program has saved.
    var inSavedSession: ResponseDifference {
        ResponseDifference(
            part: "\(part), in a session that the old program has saved",
            old: old,
            new: new,
            cause: Self.savedSession + cause
        )
    }

    /// ``cause`` without saying that the old program has saved the session.
    var causeInAnySession: String {
        cause.hasPrefix(Self.savedSession) ? String(cause.dropFirst(Self.savedSession.count)) : cause
    }

    static let savedSession = "saved session: "

    /// Whether only the updates differ that can run later.
    var isInUpdates: Bool { part == "updates" }
}

extension ResponseDifference {
    /// The first command that differs, or else the errors.
    ///
    /// - Parameters:
    ///   - old: the members of a recorded response.
    ///   - new: those of the other one.
    ///   - missing: the collaborator without a result because of which the other one ends, if any.
    init?(inCommandsOf old: Value.Object, and new: Value.Object, missing: String? = nil) {
        let commands = old["commands"]?.array ?? []
        let others = new["commands"]?.array ?? []
        let index =
            (0..<max(commands.count, others.count)).first { commands[at: $0] != others[at: $0] }
            ?? (missing != nil || old.rejection != new.rejection ? commands.count : nil)
        if let index {
            let (command, other) = (commands[at: index], others[at: index])
            let outline = command.map(Outline.init(command:)) ?? old.rejectionOutline
            let otherOutline = other.map(Outline.init(command:)) ?? missing.map(Outline.init) ?? new.rejectionOutline
            self.init(
                part: "command \(index + 1)",
                old: command?.text ?? old.rejection ?? "no command",
                new: other?.text ?? missing ?? new.rejection ?? "no command",
                cause: "command: " + outline.difference(from: otherOutline)
            )
        } else if old.errors != new.errors {
            let outlines = [old, new].map { Outline(errors: $0.errors, prefix: $0["ok"] == true ? "ok" : "errors") }
            self.init(
                part: "errors",
                old: Value.object(old.errors).text,
                new: Value.object(new.errors).text,
                cause: "response: " + outlines[0].difference(from: outlines[1])
            )
        } else {
            return nil
        }
    }

    /// The session's user.
    init?(inUserOf old: Value.Object, and new: Value.Object) {
        let (user, other) = (old["user"] ?? .null, new["user"] ?? .null)
        guard user != other else { return nil }
        let difference = Outline(user: user).difference(from: Outline(user: other))
        self.init(part: "user", old: user.text, new: other.text, cause: "user: \(difference)")
    }

    /// A collaborator that is not called any more, or less often.
    init(notCalled name: String) {
        let notCalled = "'\(name)' is not called, or less often"
        self.init(
            part: "collaborators",
            old: "'\(name)' is called",
            new: notCalled,
            cause: "collaborators: \(notCalled)"
        )
    }

    /// A part whose both sides vary in nothing else.
    init(_ part: String, _ old: String, now new: String) {
        self.init(part: part, old: old, new: new, cause: "\(part): \(old), now \(new)")
    }

    /// The results of validation rules.
    static func ofValidations(in old: Value.Object, and new: Value.Object) -> [ResponseDifference] {
        let (results, others) = (old["validations"]?.object ?? [:], new["validations"]?.object ?? [:])
        return results.compactMap { name, result in
            let other = others[name]
            guard result != other else { return nil }
            let difference = Outline(validation: result).difference(from: Outline(validation: other))
            return ResponseDifference(
                part: "validation \(name)",
                old: result.text,
                new: other?.text ?? "no such rule",
                cause: "validation \(name): \(difference)"
            )
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
    /// Why the event gave no commands, as text; `nil` if it was handled.
    fileprivate var rejection: String? {
        self["problem"].map { "problem \($0.text)" } ?? self["failure"].map { "failure \($0.text)" }
    }

    /// The same, without what varies from session to session.
    fileprivate var rejectionOutline: Outline {
        for name in ["problem", "failure"] {
            if let members = self[name]?.object { return Outline(errors: members, prefix: name) }
        }
        return Outline("no command")
    }

    /// The members of the response about errors.
    fileprivate var errors: Value.Object {
        var errors: Value.Object = [:]
        for name in ["ok", "errors"] { errors[name] = self[name] }
        return errors
    }
}

extension Value {
    /// The value as JSON, in one line.
    var text: String { String(decoding: json.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self) }
}

extension Array {
    fileprivate subscript(at index: Int) -> Element? { indices.contains(index) ? self[index] : nil }
}
