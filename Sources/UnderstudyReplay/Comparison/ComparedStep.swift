package import BusinessLogic
import UnderstudyPages

package struct ComparedStep: Equatable {
    package let page: String
    package let event: String
    /// `nil` for an update.
    package let values: Value.Object?
    /// The results of collaborators, as a recording contains them. Those with times also contain `dayLater`.
    package var results: [Value] = []
    /// How long after the step before, in milliseconds.
    package var wait = 0

    func with(_ result: Value) -> ComparedStep {
        var step = self
        step.results.append(result)
        return step
    }

    func later(by seconds: Int) -> ComparedStep {
        var step = self
        step.wait += seconds * 1000
        return step
    }

    /// The state is the one that the step before has returned; null in a new session. The clock is in milliseconds since 1970.
    func request(from state: Value, at clock: Int) -> Value.Object {
        let key: Value = ["from": "sessionKey", "answer": "00112233445566778899aabbccddeeff"]
        return [
            "page": .string(page), "event": .string(event), "values": .object(values ?? [:]), "state": state,
            "clock": Value(clock), "answers": .array([key] + results.map { $0.result(at: clock) }),
        ]
    }

    func recorded(_ outcome: StepOutcome, at clock: Int) -> Value.Object {
        let time: [Value] = outcome.readsClock ? [["from": "clock", "answer": Value(clock)]] : []
        var line: Value.Object = [
            "page": .string(page), "event": .string(event), "values": .object(values ?? [:]), "erased": [],
            "answers": .array(time + results.map { $0.result(at: clock) }),
        ]
        for (name, value) in outcome.response { line[name] = value }
        return line
    }
}

struct StepOutcome: Equatable {
    /// The members of a recorded response. If the version cannot run the step, the member `failure`.
    let response: Value.Object
    /// `nil` if the version could not run the step.
    let state: Value?
    /// What later events depend on in the state, with times as times.
    let outline: Value
    /// `nil` if the version could run the step.
    let stopReason: String?
    /// The collaborators that were called and know or do something.
    let calls: [String]
    let readsClock: Bool
    let updates: [PendingStep]
    /// The first collaborator without a result.
    let missing: String?
    let invalid: String?

    struct PendingStep: Hashable {
        let page: String
        let event: String
        /// In milliseconds since 1970; `nil` if the update follows topics.
        let due: Int?
    }

    init(_ output: Value.Object) {
        var response = output
        for name in ["state", "outline", "calls", "updates", "missing", "invalid"] {
            response[name] = nil
        }
        if let error = output["error"] { response = ["failure": ["code": "invalidStep", "reason": error]] }
        if let reason = output["stopped"] { response = ["failure": ["code": "programStopped", "reason": reason]] }
        self.response = response
        stopReason = output["error"]?.string ?? output["stopped"]?.string
        state = output["state"]
        outline = output["outline"] ?? output["state"] ?? .null
        let names = (output["calls"]?.array ?? []).compactMap(\.string)
        calls = names.filter(CollaboratorLog.Entry.isDecision)
        readsClock = names.contains("clock")
        updates = (output["updates"]?.array ?? []).compactMap { value in
            guard let page = value["page"]?.string, let event = value["update"]?.string else { return nil }
            return PendingStep(page: page, event: event, due: value["at"]?.integer)
        }
        func call(_ name: String) -> String? {
            output[name]?.string.flatMap { CollaboratorLog.Entry.isGenerator($0) ? nil : $0 }
        }
        missing = call("missing")
        invalid = call("invalid")
    }

    /// What the version gives, without values and texts.
    var kind: String {
        let commands = (response["commands"]?.array ?? []).map { ResponsePart(command: $0).outline }
        let failure = response["failure"]?["code"]?.string ?? response["problem"]?["code"]?.string ?? ""
        return (commands + [failure] + calls).joined(separator: ",")
    }

    func differences(from other: StepOutcome, at clock: Int) -> [ResponseDifference] {
        var differences = [
            ResponseDifference(inCommandsOf: response, and: other.response),
            ResponseDifference(inUserOf: response, and: other.response),
        ].compactMap(\.self)
        differences += ResponseDifference.ofValidations(in: response, and: other.response, includingNew: true)
        if calls != other.calls {
            differences.append(ResponseDifference("collaborators", Self.part(calls), now: Self.part(other.calls)))
        }
        if Set(updates) != Set(other.updates) {
            let (old, new) = (Self.part(updates, clock), Self.part(other.updates, clock))
            differences.append(ResponseDifference("updates", old, now: new))
        }
        return differences
    }

    private static func part(_ calls: [String]) -> ResponsePart {
        ResponsePart(calls.isEmpty ? "no call" : calls.joined(separator: ", "))
    }

    private static func part(_ updates: [PendingStep], _ clock: Int) -> ResponsePart {
        let texts = updates.map { update in
            let due = update.due.map { " in \(Duration.milliseconds($0.subtractingSaturated(clock)).text)" } ?? ""
            return "\(update.event) of page \(update.page)\(due)"
        }
        return ResponsePart(texts.isEmpty ? "no update" : texts.joined(separator: ", "))
    }
}

extension Duration {
    /// The duration in the largest unit that gives a whole number: `15 min`.
    package var text: String {
        let milliseconds = Int(wholeMilliseconds)
        for (unit, name) in [(86_400_000, "d"), (3_600_000, "h"), (60_000, "min"), (1000, "s")]
        where milliseconds != 0 && milliseconds % unit == 0 {
            return "\(milliseconds / unit) \(name)"
        }
        return milliseconds == 0 ? "0 s" : "\(milliseconds) ms"
    }
}
