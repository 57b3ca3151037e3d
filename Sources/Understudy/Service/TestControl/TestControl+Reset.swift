import BusinessLogic
import HTTPMessages
import Logging
import UnderstudyPages

extension TestControl {
    /// `POST /test/reset`.
    func handleReset(_ request: Request, _ service: UnderstudyService) async throws -> Response {
        guard let name = try resetState(request) else {
            // Before the reset, which would wait for their delays.
            service.faults?.removeAll()
            try await service.reset(clock, to: SavedState(data: start))
            service.logger.info("The server has been reset")
            return Response(status: 204)
        }
        guard let state = states[name] else {
            let names = states.names.map { "'\($0)'" }.joined(separator: ", ")
            throw malformedState(
                "There is no state '\(name)'. "
                    + (names.isEmpty ? "POST /test/save saves one." : "The saved states are \(names).")
            )
        }
        service.faults?.removeAll()
        try await service.reset(clock, to: state)
        service.logger.info("The server has been reset", metadata: ["state": "\(name)"])
        return Response(status: 204)
    }

    /// `POST /test/save`.
    func handleSave(_ request: Request, _ service: UnderstudyService) async throws -> Response {
        guard let name = stateName(in: try Submission.jsonObject(request)) else {
            throw malformedState("The body must be an object with one member: 'state', \(Self.stateNameForm).")
        }
        let full = malformedState(
            "There are \(SavedStates.maximum) states, which is the maximum. Replace one of them: save a state with its name."
        )
        // Before saving, which takes memory.
        guard states.hasRoom(for: name) else { throw full }
        let state = try await service.savedState(clock, saveData)
        guard states.add(state, named: name) else { throw full }
        service.logger.info("A state has been saved", metadata: ["state": "\(name)"])
        return Response(status: 204)
    }

    private static var stateNameForm: String { "a name of 1 to 64 letters, digits, '-', '_' and '.'" }

    /// The name of the state that a reset must restore; `nil` for the state after the start.
    private func resetState(_ request: Request) throws(Problem) -> String? {
        if request.body.isEmpty, request.headers.count(of: "content-type") == 0 { return nil }
        let body = try Submission.jsonObject(request)
        if body?.isEmpty == true { return nil }
        if let name = stateName(in: body) { return name }
        throw malformedState(
            "The body must be missing, an object without members, or one with the member 'state', \(Self.stateNameForm)."
        )
    }

    /// The only member of an object, if it is a valid name.
    private func stateName(in body: Value.Object?) -> String? {
        guard let body, body.count == 1, let name = body["state"]?.string else { return nil }
        let isValid = name.utf8.allSatisfy { $0.isASCIIAlphanumeric || "-_.".utf8.contains($0) }
        return isValid && (1...64).contains(name.utf8.count) ? name : nil
    }

    private func malformedState(_ detail: String) -> Problem {
        Problem(.malformedBody, detail, members: ["pointer": "/state"])
    }
}
