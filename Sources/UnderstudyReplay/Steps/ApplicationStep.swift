package import BusinessLogic
package import UnderstudyPages
import UnderstudySessions

/// An application as a function: the state of a session, an event, the time and the results of collaborators give the next state, the
/// response and the calls of collaborators.
package final class ApplicationStep: SteppedProgram {
    let pages: Pages

    package struct Malformed: Error, CustomStringConvertible {
        /// What is wrong, as a sentence.
        package let description: String
    }

    package init(_ pages: [Page]) { self.pages = Pages(pages) }

    package func send(_ request: Value.Object) -> () async throws -> Value.Object { { await self.answer { request } } }

    /// What a line of JSON gives: a step or, with the member `describe`, the description of the pages. Instead of an error, `error` is its
    /// text.
    package func answer(line: [UInt8]) async -> Value.Object { await answer { try Self.read(line) } }

    private func answer(_ request: () throws -> Value.Object) async -> Value.Object {
        do {
            let request = try request()
            guard request["describe"] == true else { return try await run(request) }
            try Self.check(request, against: ["describe", "clock"])
            return description(at: try Self.clock(request))
        } catch {
            return ["error": "\(error)"]
        }
    }

    /// Runs the step that a JSON object describes.
    ///
    /// - Parameter members: `page`, and optionally `event`, `values`, `state`, `clock` and `answers`. A line of a recording contains them.
    /// - Returns: `state`, `outline` (``/UnderstudySessions/Session/outline``), the members of a recorded response, `calls`, `updates`, and
    ///   `missing` or `invalid` if a collaborator has no result or one of another type.
    func run(_ members: Value.Object) async throws -> Value.Object {
        try Self.check(members, against: Self.members)
        guard let name = members["page"]?.string, let page = pages[named: name] else {
            throw Malformed(
                description: "'page' is not one of: \(pages.all.map { "'\($0.name)'" }.joined(separator: ", "))."
            )
        }
        let results = try Self.results(members["answers"] ?? [])
        let session = OfflineSession(pages)
        // A page can ask for the session's key when its controller is created.
        session.log.put(results)
        try Self.restore(members["state"] ?? .null, in: session)
        session.log.setTime(try Self.clock(members))
        let event = members["event"]?.string.map { Event($0) } ?? page.defaultEvent.event
        let timer = session.session.pendingUpdates.first { $0.page == page.name && $0.event == event }
        let outcome = await session.play(event, on: page, values: try Self.values(members, on: page), results: results)
        if outcome.response["failure"] == nil { session.session.finish(timer) }
        var output: Value.Object = [:]
        do {
            output["state"] = try session.session.state
            output["outline"] = try session.session.outline
        } catch {
            throw Malformed(description: "The state of a page cannot be encoded: \(error)")
        }
        for (name, value) in outcome.response { output[name] = value }
        output["calls"] = .array(session.log.calls.map(Value.string))
        output["updates"] = .array(session.session.pendingUpdates.map(\.value))
        let missing = session.log.missing
        // A controller goes on without the others.
        if let call = missing.first(where: { !CollaboratorLog.Entry.isGenerator($0.collaborator) }) ?? missing.first {
            output[call.isInvalid ? "invalid" : "missing"] = .string(call.collaborator)
        }
        return output
    }

    static func read(_ line: [UInt8]) throws -> Value.Object {
        do {
            guard let members = try JSONReader.read(line).object else {
                throw Malformed(description: "The line is not an object.")
            }
            return members
        } catch let error as JSONError {
            throw Malformed(description: "The line is not JSON: at byte \(error.offset), \(error.reason)")
        }
    }

    /// A line of a recording has others, which say what the event has given.
    private static let members =
        ["page", "event", "values", "erased", "state", "clock", "answers"] + EventResponse.members

    private static func check(_ request: Value.Object, against members: [String]) throws {
        guard let name = request.map(\.name).first(where: { !members.contains($0) }) else { return }
        let known = members.map { "'\($0)'" }.joined(separator: ", ")
        throw Malformed(description: "The member '\(name)' is not one of: \(known).")
    }

    static func clock(_ members: Value.Object) throws -> Timestamp {
        guard let time = (members["clock"] ?? 0).integer, time.magnitude < 1 << 53 else {
            throw Malformed(description: "'clock' is not a number of milliseconds since 1970 below 2^53.")
        }
        return Timestamp(milliseconds: Int64(time))
    }

    private static func restore(_ state: Value, in session: OfflineSession) throws {
        if state == .null { return }
        guard let members = state.object else { throw Malformed(description: "'state' is not an object.") }
        do {
            try session.session.restore(state: members, pages: session.pages)
        } catch {
            let reason = error is DecodingError ? "a member is missing, or has another type" : "\(error)"
            throw Malformed(description: "'state' is not one that a step of this program has returned: \(reason)")
        }
    }

    private static func values(_ members: Value.Object, on page: Page) throws -> Value.Object {
        guard var values = (members["values"] ?? [:]).object, let erased = (members["erased"] ?? []).array else {
            throw Malformed(description: "'values' is not an object, or 'erased' is not an array.")
        }
        for name in erased.compactMap(\.string) { values[name] = page.field(name)?.erasedValue ?? "erased" }
        return values
    }

    private static func results(_ answers: Value) throws -> [CollaboratorLog.Entry] {
        let answers = answers.array
        let results = answers?.compactMap(CollaboratorLog.Entry.init)
        guard let results, results.count == answers?.count else {
            throw Malformed(
                description: #"'answers' is not an array of objects such as {"from": "clock", "answer": 1000}."#
            )
        }
        return results
    }
}

extension PendingUpdate {
    var value: Value {
        var value: Value.Object = ["page": .string(page), "update": .string(event.name)]
        if let time { value["at"] = Value(Int(time.milliseconds)) }
        return .object(value)
    }
}

/// A version of a program that runs single events. Use it from one task.
package protocol SteppedProgram: AnyObject {
    /// Starts a step, or the description if `request` has the member `describe`. Receive its result before you send the next request.
    ///
    /// - Returns: receives the result, as ``ApplicationStep`` returns it; `error` if it was not a step, `stopped` if the program has ended.
    func send(_ request: Value.Object) throws -> () async throws -> Value.Object
}
