public import BusinessLogic
public import UnderstudyPages
public import UnderstudySessions

extension Recording {
    /// What a replay has found at an event: a difference, or why the event cannot be compared.
    public struct Finding: Equatable, Sendable, CustomStringConvertible {
        /// The event's number, from 1, across all pages.
        public let event: Int
        /// The event.
        public let name: BusinessLogic.Event
        /// The page of the event.
        public let page: String
        /// What has been found.
        public let kind: Kind
        /// What differs, or why the event cannot be compared, without what varies from session to session. Findings in several
        /// recordings with the same page, event and cause probably have one reason.
        package let cause: String

        /// What a replay can find at an event.
        public enum Kind: Equatable, Sendable {
            /// A part of the response differs, such as `command 2`, `errors`, `problem` or `user`. Both sides are JSON, or a description.
            case difference(in: String, recorded: String, now: String)
            /// The event cannot be compared, for this reason. The replay continues with the next event.
            case notCompared(reason: String)
        }

        /// Whether the event cannot be compared.
        public var isNotCompared: Bool {
            if case .notCompared = kind { true } else { false }
        }

        public var description: String { lines { $0 }.joined(separator: "\n") }

        /// Returns the lines of ``description``. `escape` escapes a text of the recording or of a controller.
        package func lines(_ escape: (String) -> String) -> [String] {
            let subject = "event \(event) (\(escape(name.name))) of page \(escape(page))"
            switch kind {
            case .difference(let part, let recorded, let now):
                return ["\(subject), \(escape(part))", "  recorded: \(escape(recorded))", "  now:      \(escape(now))"]
            case .notCompared(let reason): return ["\(subject) is not compared: \(escape(reason))"]
            }
        }
    }

    /// Replays all events and rejected requests with new controllers, and compares the responses: commands, errors, problems and failures,
    /// the session's user, and the results of the rules of pages. A collaborator that is called more or less often is a difference as well.
    ///
    /// Collaborators that a controller receives through its ``/Understudy/PageContext`` return the recorded results. The replay
    /// calls all others. After a difference, the replay continues with the state that the current controllers have, so that later differences can
    /// be consequences of an earlier one.
    ///
    /// - Parameter pages: the pages, including all that the recording names.
    /// - Returns: the findings, in the order of the events; an empty array if every event gives what was recorded.
    /// - Throws: ``/Understudy/RecordingError/unknownPage(_:event:)``.
    public func findings(on pages: [Page]) async throws -> [Finding] {
        let session = OfflineSession(Pages(pages), isRedacted: isRedacted)
        var lastUsers: [Value] = []
        var findings: [Finding] = []
        for (index, event) in events.enumerated() {
            guard let page = session.pages[named: event.page] else {
                throw RecordingError.unknownPage(event.page, event: index + 1)
            }
            findings += await found(at: event, on: page, in: session, &lastUsers).map {
                Finding(event: index + 1, name: event.event, page: event.page, kind: $0.kind, cause: $0.cause)
            }
        }
        return findings
    }

    private typealias Found = (kind: Recording.Finding.Kind, cause: String)

    /// Replays an event, and returns what there is to report. `lastUsers` are the recorded user and the one in the replay, after the last event.
    private func found(
        at event: Event,
        on page: Page,
        in session: OfflineSession,
        _ lastUsers: inout [Value]
    ) async -> [Found] {
        func notCompared(_ reason: String) -> [Found] { [(.notCompared(reason: reason), reason)] }
        // Such events have changed nothing.
        if event.isAbandoned { return notCompared("it was cancelled before its end") }
        if let field = event.rejectedSecret {
            return notCompared("the value of '\(field)' was rejected, and the recording does not contain it")
        }
        let outcome = await session.play(event.event, on: page, values: event.values(on: page), results: event.results)
        let differences = Self.differences(of: outcome, from: event, &lastUsers)
        if differences.isEmpty { return [] }
        if isRedacted, event.problem != nil {
            return notCompared("the request was rejected, and the recording is redacted")
        }
        let secrets = event.secrets(of: page)
        let isRejected = event.problem != nil || outcome.response["problem"] != nil
        if !secrets.isEmpty, !isRejected, outcome.missing == nil, !event.hasDecision {
            let names = secrets.map { "'\($0)'" }.joined(separator: ", ")
            let reason = "its response differs, but no collaborator's result replaces the value of \(names)"
            return notCompared("\(reason), which the recording does not contain")
        }
        return differences
    }

    private static func differences(
        of outcome: OfflineSession.Outcome,
        from event: Event,
        _ lastUsers: inout [Value]
    ) -> [Found] {
        let (recorded, now) = (event.response, outcome.response)
        var differences: [ResponseDifference] = []
        if let difference = ResponseDifference(inCommandsOf: recorded, and: now, missing: outcome.missing) {
            differences.append(difference)
        }
        // For another response, the controller may need other collaborators.
        if differences.isEmpty, let name = outcome.unused.first(where: CollaboratorLog.Entry.isDecision) {
            differences.append(ResponseDifference(notCalled: name))
        }
        let users = [recorded["user"] ?? .null, now["user"] ?? .null]
        // A difference that lasts is reported once.
        if users != lastUsers, let difference = ResponseDifference(inUserOf: recorded, and: now) {
            differences.append(difference)
        }
        lastUsers = users
        differences += ResponseDifference.ofValidations(in: recorded, and: now)
        return differences.map { (.difference(in: $0.part, recorded: $0.old, now: $0.new), $0.cause) }
    }
}

extension Recording.Event {
    /// The values, with one that fits the field for each that was erased.
    fileprivate func values(on page: Page) -> Value.Object {
        var values = values
        for name in erased { values[name] = page.field(name)?.erasedValue ?? "erased" }
        return values
    }

    /// The fields with a value that the recording does not contain, or not entirely.
    fileprivate func secrets(of page: Page) -> [String] {
        erased.filter { page.field($0) != nil }
            + values.map(\.name).filter { page.field($0)?.schema.hasSecrets == true && values[$0] != .null }
    }

    /// Whether a collaborator has returned a result that can replace an erased value: an accepted password is one for which the recording
    /// contains a user.
    fileprivate var hasDecision: Bool { results.contains { CollaboratorLog.Entry.isDecision($0.name) } }

    /// An erased field for whose value the request was rejected. Whether a field is known does not depend on its value.
    fileprivate var rejectedSecret: String? {
        for error in problem?["errors"]?.array ?? [] {
            guard let name = error["field"]?.string, erased.contains(name) else { continue }
            let isUnknownField =
                error["code"] == "unknownField" && error["pointer"]?.string == "/" + name.pointerToken
            if !isUnknownField { return name }
        }
        return nil
    }
}
