import BusinessLogic
import Understudy
import UnderstudyReplay

extension ImpactReport {
    /// The report for a person, as lines. No text of a recording can begin a line or control the terminal.
    var lines: [String] {
        let parts = Outcome.allCases.filter { $0 == .unchanged || count($0) > 0 }.map { "\(count($0)) \($0.title)" }
        var lines = ["\(count) \(count == 1 ? "recording" : "recordings"): \(parts.joined(separator: ", "))"]
        if incomplete > 0 { lines.append("incomplete last lines, which are not replayed: \(incomplete)") }
        for (key, group) in sortedGroups {
            lines += ["", "\(group.count) \(key.description.escaped)"]
            lines += ["\(group.file.escaped): \(group.lines[0])"] + group.lines.dropFirst()
        }
        if ungrouped > 0 {
            lines += ["", "\(ungrouped) with other causes: only \(Self.maximumGroups) are distinguished"]
        }
        return lines
    }

    /// The report for a program.
    var json: Value {
        var object: Value.Object = ["recordings": Value(count)]
        for outcome in Outcome.allCases { object[outcome.rawValue] = Value(count(outcome)) }
        object["incomplete"] = Value(incomplete)
        object["ungrouped"] = Value(ungrouped)
        object["groups"] = .array(sortedGroups.map { .object($0.key.members(with: $0.group)) })
        return .object(object)
    }
}

extension ImpactReport.Key: CustomStringConvertible {
    var description: String {
        guard let page, let event else { return "\(outcome.title): \(cause)" }
        return "\(outcome.title) at \(event) of page \(page): \(cause)"
    }

    fileprivate func members(with group: ImpactReport.Group) -> Value.Object {
        var members: Value.Object = ["outcome": .string(outcome.rawValue), "count": Value(group.count)]
        members["page"] = page.map { .string($0) }
        members["event"] = event.map { .string($0) }
        members["cause"] = .string(cause)
        var shortest: Value.Object = ["file": .string(group.file)]
        for (name, value) in group.members { shortest[name] = value }
        members["shortest"] = .object(shortest)
        return members
    }
}
