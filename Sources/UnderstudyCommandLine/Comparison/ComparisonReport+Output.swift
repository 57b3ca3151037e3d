import BusinessLogic
import UnderstudyReplay

extension ComparisonReport {
    /// The exit status of the command; `nil` if nothing differs, nothing was left untried, and everything declared was reached.
    var status: Int32? {
        if pages.contains(where: { !$0.differences.isEmpty }) { return 1 }
        return pages.allSatisfy(\.isClosed) ? nil : 2
    }

    /// The report for a person. No text of a program can begin a line or control the terminal. What is accepted is not in the report.
    func lines(accepted: (differences: Int, unreached: Int)) -> [String] {
        let causes = causes
        var lines = causes.flatMap { $0[0].lines }
        lines += pages.flatMap { page in
            // A cause is listed on the page on which it was found first.
            page.lines + causes.filter { $0.first?.page == page.name }.flatMap(\.lines)
        }
        if accepted.differences > 0 {
            lines.append("Accepted differences: \(accepted.differences). What follows such an event was not compared.")
        }
        if accepted.unreached > 0 { lines.append("Accepted outcomes that were not reached: \(accepted.unreached).") }
        return lines
    }

    var json: Value {
        [
            "pages": .array(pages.map { .object(members(of: $0)) }), "events": Value(steps),
            "status": Value(Int(status ?? 0)),
        ]
    }

    fileprivate func members(of page: Page) -> Value.Object {
        [
            "page": .string(page.name),
            "result": .string(!page.differences.isEmpty ? "different" : page.isClosed ? "equal" : "notClosed"),
            "events": Value(page.events), "inputs": Value(page.inputs), "pairs": Value(page.pairs),
            "depth": Value(page.depth),
            "untried": .array(page.untried.sorted { $0.key < $1.key }.map { .string($0.key.text($0.value)) }),
            "unreached": .array(page.unreached.map { ["event": .string($0.event), "outcome": .string($0.name)] }),
            "differences": .array(
                page.differences.map { difference in
                    var members = difference.members
                    members["group"] = Value(number(of: difference))
                    return .object(members)
                }
            ),
        ]
    }
}

extension ComparisonReport.Page {
    /// What was found in one line, and then what was not tried and not reached.
    fileprivate var lines: [String] {
        let counts =
            "\(String.count(events, "event")) × \(String.count(inputs, "input")), \(String.count(pairs, "pair")) of states"
        var line: String
        if let shortest = differences.map(\.steps.count).min() {
            line =
                "\(Terminal.strong("\(name.escaped): DIFFERENT")) after \(String.count(shortest, "event")) (\(counts))"
        } else if isClosed {
            line = "\(Terminal.strong("\(name.escaped): EQUAL")) for \(counts), closed"
        } else {
            line = "\(Terminal.strong("\(name.escaped): no difference")) to depth \(depth), NOT closed: \(counts)"
        }
        return [line] + untried.sorted { $0.key < $1.key }.map { "  untried: \($0.key.text($0.value))".escaped }
            + Dictionary(grouping: unreached, by: \.event).sorted { $0.key < $1.key }.map { event, outcomes in
                "  not reached: \(event): \(outcomes.map(\.name).joined(separator: ", "))".escaped
            }
    }
}

extension [ComparisonReport.Difference] {
    /// The differences of one cause, each in one line.
    fileprivate var lines: [String] {
        enumerated().map { index, difference in
            let indent = index == 0 ? "  " : "    "
            let page = difference.page == first?.page ? "" : "\(difference.page) "
            let times = difference.count == 1 ? "" : " (\(difference.count) times)"
            return "\(indent)\(page)\(difference.event), \(difference.cause)\(times)".shortened.escaped
        }
    }
}

extension ComparisonReport.Untried {
    fileprivate func text(_ count: Int) -> String {
        switch self {
        case .pairs: "\(count) pairs of states beyond the limit: raise --pairs"
        case .time: "\(count) pairs of states, not searched in time: raise --seconds, or choose pages by --page"
        case .depth: "\(count) pairs of states after too many events: raise --depth"
        case .combinations: "\(count) combinations of states with values that other pages set"
        case .durations: "\(count) or more durations at which an event has another outcome"
        case .results(let name):
            "\(count) events that call '\(name)': no known result is of its type, except failures and empty ones; add 'resultExamples'"
        case .savedSessions(let name):
            "\(count) events in sessions that the old version has saved: there, they need other results of '\(name)'"
        case .stopped(let reason): "\(count) events that neither program could run: \(reason)"
        case .values(let pages): "what pages that are not closed can still set for this one: \(pages)"
        case .types(let name): "\(count) results of '\(name)', which only one version accepts"
        case .calls(let name): "\(count) events that call '\(name)' after many other calls"
        }
    }
}

extension ComparisonReport.Difference {
    /// The difference for a person: the events, and what both versions give.
    var lines: [String] {
        var lines = ["\(Terminal.strong("\(page.escaped): DIFFERENT")) in \("\(event), \(part)".escaped)"]
        if let user { lines.append("    0. \(user.line) is logged in".shortened.escaped) }
        lines += steps.enumerated().map { "    \($0 + 1). \($1.text)".shortened.escaped }
        return lines + ["    old: \(old)".shortened.escaped, "    new: \(new)".shortened.escaped, ""]
    }

    fileprivate var members: Value.Object {
        [
            "event": .string(event), "part": .string(part), "cause": .string(cause), "count": Value(count),
            "old": .string(old), "new": .string(new), "user": user ?? .null,
            "steps": .array(recordedEvents.map(Value.object)),
        ]
    }
}

extension ComparedStep {
    fileprivate var text: String {
        let time = wait == 0 ? "" : "after \(Duration.milliseconds(wait).text): "
        let values = values.map { $0.isEmpty ? "" : " \(Value.object($0).line)" } ?? " (update)"
        return "\(time)\(page) \(event)\(values)\(results.isEmpty ? "" : "; \(calls)")"
    }

    /// What the collaborators return.
    private var calls: String {
        results.map { result in
            let value = result["answer"] ?? result["failure"] ?? .null
            let time = result["dayLater"] == nil ? "" : " when the clock is \(Comparison.start)"
            let verb = result["failure"] == nil ? "returns" : "fails:"
            return "\(result["from"]?.string ?? "") \(verb) \(value.line)\(time)"
        }.joined(separator: ", ")
    }
}
