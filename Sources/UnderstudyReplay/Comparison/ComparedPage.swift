import BusinessLogic
import UnderstudyPages

struct ComparedPage {
    let name: String
    private(set) var events: [(name: String, inputs: [Value.Object])]
    /// The results of collaborators to try, as a recording contains them, by name; those with times also contain `dayLater`.
    private(set) var results: [String: [Value]] = [:]
    private(set) var outcomes: Set<PageOutcome> = []

    var inputCount: Int { events.reduce(0) { $0 + $1.inputs.count } }

    init?(_ description: Value) {
        guard let name = description["page"]?.string else { return nil }
        self.name = name
        events = (description["events"]?.array ?? []).compactMap { event in
            event["event"]?.string.map { ($0, (event["inputs"]?.array ?? []).compactMap(\.object)) }
        }
        for outcome in description["outcomes"]?.array ?? [] {
            let (event, name) = (outcome["event"]?.string ?? "", outcome["outcome"]?.string ?? "")
            outcomes.insert(PageOutcome(page: self.name, event: event, name: name))
        }
        for (collaborator, examples) in description["results"]?.object ?? [:] {
            let later = description["resultsDayLater"]?[collaborator]?.array ?? []
            results[collaborator] = (examples.array ?? []).enumerated().map { index, answer in
                var result: Value.Object = ["from": .string(collaborator), "answer": answer]
                if index < later.count, later[index] != answer { result["dayLater"] = later[index] }
                return .object(result)
            }
        }
    }

    mutating func add(_ other: ComparedPage) {
        for (event, inputs) in other.events {
            for input in inputs { add(input, to: event) }
        }
        outcomes.formUnion(other.outcomes)
        for (collaborator, results) in other.results {
            self.results[collaborator] = (self.results[collaborator, default: []] + results).distinct
        }
    }

    /// Adds an event with its values and the results of collaborators, such as an event of a recording.
    mutating func add(_ line: Value.Object) {
        guard line["problem"] == nil || line["erased"]?.array?.isEmpty != false else { return }
        if let event = line["event"]?.string, events.contains(where: { $0.name == event }),
            var values = line["values"]?.object
        {
            for name in (line["erased"]?.array ?? []).compactMap(\.string) {
                // What was erased is the same as in the declared examples.
                values[name] = events.first { $0.name == event }?.inputs.first?[name]
            }
            add(values, to: event)
        }
        for result in line["answers"]?.array ?? [] {
            guard let name = result["from"]?.string, CollaboratorLog.Entry.isDecision(name) else { continue }
            results[name] = (results[name, default: []] + [result]).distinct
        }
    }

    private mutating func add(_ input: Value.Object, to event: String) {
        guard let index = events.firstIndex(where: { $0.name == event }) else { return events.append((event, [input])) }
        if !events[index].inputs.contains(input) { events[index].inputs.append(input) }
    }

    /// Whether results show what a page does with a collaborator: one is neither a failure, which each type accepts, nor empty, as optional
    /// types and lists accept it. If all declared results are empty, so may these be.
    func areSufficient(_ results: [Value], of collaborator: String) -> Bool {
        if results.contains(where: Self.hasContent) { return true }
        let declared = withoutFailures(of: collaborator)
        return !declared.contains(where: Self.hasContent) && results.contains(where: declared.contains)
    }

    /// The declared and recorded results. A recording can contain a failure, which shows nothing of a type.
    private func withoutFailures(of collaborator: String) -> [Value] {
        (results[collaborator] ?? []).filter { $0["failure"] == nil }
    }

    /// Whether a result is neither a failure nor empty, so that it shows the type that a call accepts.
    static func hasContent(_ result: Value) -> Bool {
        guard let answer = result["answer"] else { return false }
        return answer != .null && answer != []
    }

    /// The declared results, or values of the usual types; an empty result; and failures.
    func candidates(of collaborator: String) -> [Value] {
        let name = Value.string(collaborator)
        func results(_ values: [Value]) -> [Value] { values.map { ["from": name, "answer": $0] } }
        let declared = self.results[collaborator] ?? []
        let empty = results([nil, true, false, []])
        let usual = results(["text", "", 1, 0])
        let failures: [CollaboratorFailure] = [
            .init(.unavailable, retryAfter: .seconds(2)), .init(.tooManyRequests, retryAfter: .seconds(2)),
            .init(.other),
        ]
        let failed = failures.map { ["from": name, "failure": $0.value] as Value }
        return (declared + empty + (withoutFailures(of: collaborator).isEmpty ? usual : []) + failed).distinct
    }
}
