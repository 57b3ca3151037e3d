import BusinessLogic
import Understudy
import UnderstudyReplay

extension ComparisonReport {
    /// The exit status of the command; `nil` if nothing differs and nothing was left untried.
    var status: Int32? {
        if !documents.isEmpty || pages.contains(where: { !$0.differences.isEmpty }) { return 1 }
        return pages.allSatisfy(\.isClosed) ? nil : 2
    }

    /// The shortest sequence of each group, with what the old version has responded, as recordings.
    func recordings() throws -> [(name: String, recording: Recording)] {
        try pages.flatMap { page in
            try page.differences.enumerated().map { index, group in
                let name = "\(page.name) \(group.event) \(index + 1)"
                return (name, try group.recording(UnderstudyService.version))
            }
        }
    }

    /// The report for a person. No text of a program can begin a line or control the terminal.
    ///
    /// - Parameter accepted: the number of accepted differences, which are not in the report.
    func lines(accepted: Int) -> [String] {
        var lines = pages.flatMap(\.lines)
        var shown: [String: Int] = [:]
        for difference in documents {
            shown[difference.document, default: 0] += 1
            guard shown[difference.document, default: 0] <= Self.maximumMembers else { continue }
            if shown[difference.document] == 1 {
                lines.append(Terminal.strong("\(difference.document.escaped): DIFFERENT"))
            }
            lines += [
                "  \(difference.pointer.escaped)", "    old: \((difference.old ?? "absent").shortened.escaped)",
                "    new: \((difference.new ?? "absent").shortened.escaped)",
            ]
        }
        for (document, count) in shown.sorted(by: { $0.key < $1.key }) where count > Self.maximumMembers {
            lines.append("\(document.escaped): \(count - Self.maximumMembers) further differences")
        }
        if accepted > 0 {
            lines.append("Accepted differences: \(accepted). What follows such an event was not compared.")
        }
        return lines
    }

    /// The number of members of a document that are shown.
    private static let maximumMembers = 20

    /// The report for a program.
    var json: Value {
        [
            "pages": .array(pages.map { .object($0.members) }),
            "documents": .array(
                documents.map {
                    [
                        "document": .string($0.document), "pointer": .string($0.pointer), "old": Value($0.old),
                        "new": Value($0.new),
                    ]
                }
            ),
            "events": Value(steps), "status": Value(Int(status ?? 0)),
        ]
    }
}

extension ComparisonReport.Page {
    fileprivate var lines: [String] {
        let counts = "\(count(events, "event")) × \(count(inputs, "input")), \(count(pairs, "pair")) of states"
        let rest = untried.sorted { $0.key < $1.key }.map { "  untried: \($0.key.text($0.value))".escaped }
        guard let shortest = differences.map(\.steps.count).min() else {
            if isClosed { return ["\(Terminal.strong("\(name.escaped): EQUAL")) for \(counts), closed"] }
            return [
                "\(Terminal.strong("\(name.escaped): no difference")) to depth \(depth), NOT closed: \(counts)"
            ] + rest
        }
        var lines = ["\(Terminal.strong("\(name.escaped): DIFFERENT")) after \(count(shortest, "event")) (\(counts))"]
        for group in differences.sorted(by: { $0.steps.count < $1.steps.count }) { lines += group.lines }
        return lines + rest
    }

    private func count(_ count: Int, _ noun: String) -> String { "\(count) \(noun)\(count == 1 ? "" : "s")" }

    fileprivate var members: Value.Object {
        [
            "page": .string(name),
            "result": .string(!differences.isEmpty ? "different" : isClosed ? "equal" : "notClosed"),
            "events": Value(events), "inputs": Value(inputs), "pairs": Value(pairs), "depth": Value(depth),
            "untried": .array(untried.sorted { $0.key < $1.key }.map { .string($0.key.text($0.value)) }),
            "differences": .array(differences.map { .object($0.members) }),
        ]
    }
}

extension ComparisonReport.Untried {
    fileprivate func text(_ count: Int) -> String {
        switch self {
        case .pairs: "\(count) pairs of states beyond the limit: raise --pairs"
        case .depth: "\(count) pairs of states after too many events: raise --depth"
        case .combinations: "\(count) combinations of states with values that other pages set"
        case .durations: "\(count) or more durations at which an event has another outcome"
        case .results(let name):
            "\(count) events that call '\(name)': no known result is of its type; add 'resultExamples'"
        case .types(let name): "\(count) results of '\(name)', which only one version accepts"
        case .calls(let name): "\(count) events that call '\(name)' after many other calls"
        }
    }
}

extension ComparisonReport.Group {
    fileprivate var lines: [String] {
        let count = count == 1 ? "" : " (\(count) differences)"
        var lines = ["", "  \(event), \(part)\(count)".escaped]
        if !isConfirmed {
            lines.append("    NOT DETERMINISTIC: the same events have given something else when they were sent again.")
        }
        for (first, count, step) in runs {
            let numbers = count == 1 ? "\(first)" : "\(first)–\(first + count - 1)"
            lines.append("    \(numbers). \(step.text)".shortened.escaped)
        }
        lines += ["    old: \(old)".shortened.escaped, "    new: \(new)".shortened.escaped]
        for (_, count, step) in runs {
            let command = count == 1 ? step.command : "for i in $(seq \(count)); do \(step.command); done"
            lines.append("    \(command)\(step.comment)".escaped)
        }
        return lines
    }

    /// The steps, equal ones in a row once: the number of the first, how many there are, and the step.
    private var runs: [(first: Int, count: Int, step: ComparedStep)] {
        var runs: [(first: Int, count: Int, step: ComparedStep)] = []
        for (index, step) in steps.enumerated() {
            if let last = runs.last, last.step == step {
                runs[runs.count - 1].count += 1
            } else {
                runs.append((index + 1, 1, step))
            }
        }
        return runs
    }

    fileprivate var members: Value.Object {
        [
            "event": .string(event), "part": .string(part), "cause": .string(cause), "count": Value(count),
            "old": .string(old), "new": .string(new), "reproduced": .boolean(isConfirmed),
            "steps": .array(recordedEvents.map(Value.object)),
        ]
    }
}

extension ComparedStep {
    /// The step for a person.
    fileprivate var text: String {
        let time = wait == 0 ? "" : "after \(Duration.milliseconds(wait).text): "
        let values = values.map { $0.isEmpty ? "" : " \(Value.object($0).line)" } ?? " (update)"
        return "\(time)\(page) \(event)\(values)\(results.isEmpty ? "" : "; \(calls)")"
    }

    /// What the collaborators return.
    private var calls: String {
        results.compactMap(\.object).map { result in
            let value = result["answer"] ?? result["failure"] ?? .null
            let time = result["dayLater"] == nil ? "" : " when the clock is \(Comparison.start)"
            let verb = result["failure"] == nil ? "returns" : "fails:"
            return "\(result["from"]?.string ?? "") \(verb) \(value.line)\(time)"
        }.joined(separator: ", ")
    }

    /// The command that sends the event to a local server, or shows what the update has changed.
    fileprivate var command: String {
        let pause = wait == 0 ? "" : "sleep \((wait + 999) / 1000); "
        guard let values else { return "\(pause)curl -sb jar localhost:8080/\(page)" }
        let body: Value = ["event": .string(event), "values": .object(values)]
        return "\(pause)curl -sb jar -c jar --json \(body.line.shellQuoted) localhost:8080/\(page)"
    }

    /// What a server must do besides, as a comment for the shell.
    fileprivate var comment: String {
        let update = values == nil ? ["\(event) runs without a request"] : []
        let comments = update + (results.isEmpty ? [] : [calls])
        return comments.isEmpty ? "" : "  # \(comments.joined(separator: "; "))"
    }
}

extension Value {
    fileprivate var line: String { String(decoding: json.dropLast(), as: UTF8.self) }
}

extension String {
    /// The text, cut after 1000 characters.
    fileprivate var shortened: String { count <= 1000 ? self : prefix(1000) + "…" }
}
