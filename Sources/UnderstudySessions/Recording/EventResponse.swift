package import BusinessLogic
package import UnderstudyPages

/// What an event gave: its response without what depends on the server, such as tokens and sequence numbers, and the session's user.
package struct EventResponse: Sendable {
    /// Empty if the event failed or was rejected.
    package var commands: [Command] = []
    package var failure: CollaboratorFailure?
    /// Why the service rejected the request without running the event, if it did: the members of the problem.
    package var problem: Value.Object?
    package var user: User?
    /// The results of the page's rules for the event's values, by the names of the rules.
    package var validations: Value.Object = [:]

    package init() {}

    /// The members with which a recording contains the response.
    package func value(_ context: ResponseContext) -> Value.Object {
        let bytes = JSONWriter.bytes { writer in
            writer.raw("{\"commands\":")
            writer.array(commands) { $0.command($1, context) }
            if failure == nil, problem == nil { writer.outcome(of: commands, context) }
            writer.raw(",\"user\":")
            // Without the account's ID, which differs between servers.
            writer.value(user.map { User(username: $0.username, roles: $0.roles).stored } ?? .null)
            if !validations.isEmpty {
                writer.raw(",\"validations\":")
                writer.object(validations)
            }
            if let failure {
                writer.raw(",\"failure\":")
                writer.value(failure.value)
            }
            if let problem {
                writer.raw(",\"problem\":")
                writer.object(problem)
            }
            writer.raw("}")
        }
        // Read again, because a recording does not contain all that a value can be, such as infinite numbers.
        return (try? JSONReader.read(bytes))?.object ?? [:]
    }

    /// The names of the members that ``value(_:)`` may contain.
    package static let members = ["commands", "ok", "errors", "user", "validations", "failure", "problem"]
}

extension JSONWriter {
    fileprivate mutating func outcome(of commands: [Command], _ context: ResponseContext) {
        let errors = commands.compactMap(\.error)
        raw(errors.isEmpty ? ",\"ok\":true" : ",\"ok\":false,\"errors\":")
        if !errors.isEmpty { array(errors) { $0.error($1, context) } }
    }
}

extension Page {
    /// Checks the texts of the fields that have the names of the rules. Secret values are not checked.
    package func validations(of values: Value.Object) -> Value.Object {
        var results: Value.Object = [:]
        for rule in rules where !rule.isSecret && field(rule.name)?.isSecret == false {
            guard let text = values[rule.name]?.string, !text.isLonger(than: rule.maximumLength) else { continue }
            results[rule.name] = rule.result(of: text)
        }
        return results
    }
}

extension EventError {
    /// The members of the problem in a recording: those that do not depend on the request's ID, its format and the server's address. `prefix` is
    /// where the values are in what the client sent: `/values`, or nothing.
    package func recorded(below prefix: String = "") -> Value.Object {
        var error = self
        if case .invalidFields(let faults, let fields) = self {
            let faults = faults.map { fault in
                let isBelow = !prefix.isEmpty && fault.pointer.hasPrefix(prefix + "/")
                return FieldFault(
                    fault.field,
                    fault.reason,
                    pointer: isBelow ? String(fault.pointer.dropFirst(prefix.count)) : fault.pointer
                )
            }
            error = .invalidFields(faults, fields: fields)
        }
        return Problem(error)?.recorded ?? [:]
    }
}

extension Problem {
    package var recorded: Value.Object {
        var members = body(id: "", below: PathPrefix()).object ?? [:]
        members["type"] = nil
        members["requestID"] = nil
        return members
    }
}

extension Page {
    /// Commands as a recording contains them: without the texts of secret outputs.
    package func recorded(_ entries: ArraySlice<CommandHistory.Entry>) -> [Command] {
        if secretOutputs.isEmpty { return entries.map(\.command) }
        return entries.map { entry in
            guard case .render(let key, let value, nil) = entry.command, secretOutputs.contains(key) else {
                return entry.command
            }
            return .render(key: key, value: value.withoutTexts, message: nil)
        }
    }
}
