import BusinessLogic
import HTTPMessages
import UnderstudyPages

extension TestControl {
    /// `GET /test/fault`, `POST /test/fault` and `DELETE /test/fault`.
    func handleFault(_ request: Request, _ service: UnderstudyService) throws(Problem) -> Response {
        guard let faults = service.faults else { throw Problem(.unknownPage, "The service has no faults.") }
        switch request.method {
        case .delete:
            faults.removeAll()
            return Response(status: 204)
        case .post: try setFault(request, faults)
        default: break
        }
        let all = faults.all.sorted { $0.key < $1.key }.map { $0.value.json(of: $0.key) }
        return .json(["faults": .array(all)])
    }

    private func setFault(_ request: Request, _ faults: CollaboratorFaults) throws(Problem) {
        let members = ["collaborator", "fails", "times", "delay"]
        guard let body = try Submission.jsonObject(request), body.allSatisfy({ members.contains($0.name) }) else {
            throw .malformedBody(
                "The body must be an object with the members 'collaborator', 'fails', 'times' and 'delay' "
                    + "(curl --json '{\"collaborator\":\"credentials\",\"fails\":\"unavailable\"}').",
                at: ""
            )
        }
        let collaborator = try collaborator(in: body)
        let (failure, delay) = (try failure(in: body), try delay(in: body))
        guard failure != nil || delay != nil else {
            throw .malformedBody("A fault needs the member 'fails', 'delay' or both.", at: "")
        }
        let times = body["times"] ?? 1
        guard let times = times.integer, (1...1000).contains(times) else {
            throw .malformedBody("'times' must be a whole number from 1 to 1000.", at: "/times")
        }
        let fault = CollaboratorFaults.Fault(failure: failure, delay: delay ?? .zero, times: times)
        guard faults.set(fault, for: collaborator) else {
            throw .malformedBody(
                "\(CollaboratorFaults.maximum) collaborators have a fault, which is the maximum. DELETE /test/fault removes all faults.",
                at: "/collaborator"
            )
        }
    }

    private func collaborator(in body: Value.Object) throws(Problem) -> String {
        guard let name = body["collaborator"]?.string, (1...64).contains(name.utf8.count) else {
            throw .malformedBody(
                "'collaborator' must be the name of a collaborator in recordings, such as 'credentials': 1 to 64 bytes.",
                at: "/collaborator"
            )
        }
        guard !["clock", "passwordPolicy", "random", "sessionKey"].contains(name) else {
            throw .malformedBody(
                "'\(name)' is not asynchronous: it can neither fail nor take longer.",
                at: "/collaborator"
            )
        }
        return name
    }

    private func failure(in body: Value.Object) throws(Problem) -> CollaboratorFailure? {
        guard let value = body["fails"] else { return nil }
        guard let (_, reason) = failures.first(where: { .string($0.name) == value }) else {
            throw .malformedBody("'fails' must be 'unavailable', 'tooManyRequests' or 'error'.", at: "/fails")
        }
        return CollaboratorFailure(reason, retryAfter: reason == .other ? nil : .seconds(1))
    }

    private func delay(in body: Value.Object) throws(Problem) -> Duration? {
        guard let value = body["delay"] else { return nil }
        guard let delay = value.string.flatMap(Duration.init(written:)), delay <= .seconds(60) else {
            throw .malformedBody("'delay' must be \(Duration.writtenForm), and at most 1m.", at: "/delay")
        }
        return delay
    }
}

private let failures: [(name: String, reason: CollaboratorFailure.Reason)] = [
    ("unavailable", .unavailable), ("tooManyRequests", .tooManyRequests), ("error", .other),
]

extension CollaboratorFaults.Fault {
    fileprivate func json(of collaborator: String) -> Value {
        var json: Value.Object = ["collaborator": .string(collaborator), "times": Value(times)]
        json["fails"] = failures.first { $0.reason == failure?.reason }.map { .string($0.name) }
        if delay > .zero { json["delay"] = "\(delay.wholeMilliseconds)ms" }
        return .object(json)
    }
}
