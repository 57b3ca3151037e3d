package import BusinessLogic
package import UnderstudyPages
package import UnderstudySessions

/// Compares what events of a server gave with what another version gives for them, each from the server's state.
package struct EventComparison: Sendable {
    private let context: ResponseContext

    /// What another version gives for an event.
    package enum Result: Equatable, Sendable {
        /// An equal response, and an equal state.
        case matched
        /// Another response. The cause contains no values and no texts.
        case mismatched(cause: String)
        /// An equal response, but another state for later events. The cause names what contains it.
        case diverged(cause: String)
        /// A call of this collaborator, of which the event has no result of that type.
        case missing(collaborator: String)
    }

    /// Creates a comparison of the events of these pages.
    package init(_ pages: [Page]) {
        // Without a path prefix, which a step does not know.
        context = ResponseContext(links: Pages(pages).links)
    }

    /// The step that runs the event.
    ///
    /// - Throws: `EncodingError` if the state of a controller cannot be encoded.
    package func request(for event: ObservedEvent) throws -> Value.Object {
        let state = try event.before.state
        // Each page may ask for the key when it is created from the state.
        let key = state.object?["key"].map { key -> [Value] in
            let pages = state.object?["pages"]?.array?.count ?? 0
            return Array(repeating: ["from": "sessionKey", "answer": key], count: pages + 1)
        }
        return [
            "page": .string(event.page.name), "event": .string(event.event.name), "values": .object(event.values),
            "state": state, "clock": Value(Int(event.time.milliseconds)),
            "answers": .array((key ?? []) + event.results.map(\.entry.value)),
        ]
    }

    /// Compares the event with what a step gives for it.
    ///
    /// - Parameter output: what ``ApplicationStep`` returns, or `error`.
    /// - Throws: `EncodingError` if the state of a controller cannot be encoded.
    package func result(of event: ObservedEvent, _ output: Value.Object) throws -> Result {
        if let collaborator = output["missing"]?.string ?? output["invalid"]?.string {
            return .missing(collaborator: collaborator)
        }
        var response = event.response
        response.validations = event.page.validations(of: event.values)
        let old = response.value(context)
        let outcome = StepOutcome(output)
        if let cause = cause(in: old, and: outcome, of: event) {
            return .mismatched(cause: cause.withoutTexts(of: .object(event.values)))
        }
        if let part = differingPart(of: try event.after.state, and: outcome.state ?? .null) {
            return .diverged(cause: part)
        }
        return .matched
    }

    /// Why the responses differ; `nil` if they are equal.
    private func cause(in old: Value.Object, and outcome: StepOutcome, of event: ObservedEvent) -> String? {
        let new = outcome.response
        if ResponseDifference(inCommandsOf: old, and: new) != nil {
            // The name of an unknown field comes from the client.
            let known = ResponseDifference(
                inCommandsOf: old.withoutUnknownFields(of: event.page),
                and: new.withoutUnknownFields(of: event.page)
            )
            return known?.cause ?? "problem: other fields"
        }
        if let difference = ResponseDifference(inUserOf: old, and: new) { return difference.cause }
        if let difference = ResponseDifference.ofValidations(in: old, and: new).first { return difference.cause }
        var uncalled = event.results.map(\.name).filter(CollaboratorLog.Entry.isDecision)
        for name in outcome.calls {
            if let index = uncalled.firstIndex(of: name) { uncalled.remove(at: index) }
        }
        return uncalled.first.map { ResponseDifference(notCalled: $0).cause }
    }

    /// What differs in the states that later events depend on: a page, or the values of the session; `nil` if they are equal.
    private func differingPart(of old: Value, and new: Value) -> String? {
        let (outline, other) = (SessionOutline(old, at: nil), SessionOutline(new, at: nil))
        for name in Set(outline.pages.keys).union(other.pages.keys).sorted()
        where outline.pages[name] != other.pages[name] {
            return "state of page \(name)"
        }
        // A logout replaces the key by a random one.
        return outline.contextWithoutKey == other.contextWithoutKey ? nil : "values of the session"
    }
}

extension SessionOutline {
    fileprivate var contextWithoutKey: Value {
        var members = context.object ?? [:]
        members["key"] = nil
        return .object(members)
    }
}

extension String {
    /// A cause without texts that the client has sent, because an undeclared key of a command can be one.
    fileprivate func withoutTexts(of value: Value) -> String {
        switch value {
        case .string(let text):
            // A shorter one is probably a part of a word.
            return text.count < 4 ? self : replacing(text, with: "…")
        case .array(let elements): return elements.reduce(self) { $0.withoutTexts(of: $1) }
        case .object(let object): return object.reduce(self) { $0.withoutTexts(of: $1.value) }
        case .null, .boolean, .number: return self
        }
    }
}

extension Value.Object {
    /// The members of a response, with one name for all fields of a problem that the page does not declare.
    fileprivate func withoutUnknownFields(of page: Page) -> Value.Object {
        guard var problem = self["problem"]?.object, let errors = problem["errors"]?.array else { return self }
        problem["errors"] = .array(
            errors.map { error in
                guard var members = error.object, let name = members["field"]?.string, page.field(name) == nil else {
                    return error
                }
                members["field"] = "unknown field"
                return .object(members)
            }
        )
        var response = self
        response["problem"] = .object(problem)
        return response
    }
}
