import BusinessLogic
import Understudy
import UnderstudyReplay

/// What replays of several recordings have found, in groups of one cause each.
struct ReplayReport {
    /// What a replay has shown.
    enum Outcome: String, CaseIterable {
        /// Every event gives what was recorded.
        case unchanged
        /// An event differs.
        case changed
        /// No event differs, but one cannot be compared.
        case partlyCompared = "partly compared"
        /// The file cannot be read, or not be replayed.
        case notReplayable = "not replayable"
    }

    /// Recordings with one cause, or those that are unchanged.
    struct Group {
        let outcome: Outcome
        /// The outcome, the event and the page of the first finding, and what differs, or why it cannot be compared or replayed.
        var description = ""
        var count = 1
        /// The number of recordings whose last line is incomplete.
        var incomplete = 0
        /// The file of the shortest recording; of several, the first by name.
        var file: String
        /// The number of events in that file.
        var events = 0
        /// What a replay of that file alone prints about the first finding, or why the file cannot be replayed.
        var lines: [String] = []
    }

    /// The groups by their descriptions.
    private var groups: [String: Group] = [:]

    var count: Int { groups.values.reduce(0) { $0 + $1.count } }

    func count(_ outcome: Outcome) -> Int { groups.values.reduce(0) { $0 + ($1.outcome == outcome ? $1.count : 0) } }

    mutating func add(_ group: Group) {
        guard var known = groups[group.description] else {
            groups[group.description] = group
            return
        }
        if (group.events, group.file) < (known.events, known.file) {
            (known.file, known.events, known.lines) = (group.file, group.events, group.lines)
        }
        known.count += group.count
        known.incomplete += group.incomplete
        groups[group.description] = known
    }

    /// The report as lines. No text of a recording can begin a line or control the terminal.
    var lines: [String] {
        let parts = Outcome.allCases.filter { $0 == .unchanged || count($0) > 0 }.map { "\(count($0)) \($0.rawValue)" }
        var lines = ["\(count) recordings: \(parts.joined(separator: ", "))"]
        let incomplete = groups.values.reduce(0) { $0 + $1.incomplete }
        if incomplete > 0 { lines.append("incomplete last lines, which are not replayed: \(incomplete)") }
        for group in sortedGroups {
            lines += ["", "\(group.count) \(group.description.escaped)"]
            lines += ["\(group.file.escaped): \(group.lines[0])"] + group.lines.dropFirst()
        }
        return lines
    }

    /// The groups: first those that have changed, the largest first.
    private var sortedGroups: [Group] {
        Outcome.allCases.dropFirst().flatMap { outcome in
            groups.values.filter { $0.outcome == outcome }
                .sorted { (-$0.count, $0.description) < (-$1.count, $1.description) }
        }
    }
}

extension ReplayReport.Group {
    /// The group of a replayed recording: that of its first difference, because later ones can be consequences.
    init(_ recording: Recording, _ findings: [Recording.Finding], of file: String) {
        let finding = findings.first { !$0.isNotCompared } ?? findings.first
        outcome = finding.map { $0.isNotCompared ? .partlyCompared : .changed } ?? .unchanged
        (self.file, events, incomplete) = (file, recording.events.count, recording.isCut ? 1 : 0)
        guard let finding else { return }
        let place = "\(finding.name.name.shortened) of page \(finding.page)"
        description = "\(outcome.rawValue) at \(place): \(finding.cause.shortened)"
        lines = finding.lines(\.escaped).map(\.shortened)
    }

    /// The group of a file that cannot be replayed.
    init(_ failure: RecordingFile.Failure, of file: String) {
        let description = "\(ReplayReport.Outcome.notReplayable.rawValue): \(failure.cause.shortened)"
        let lines = [failure.description.shortened.escaped]
        self.init(outcome: .notReplayable, description: description, file: file, lines: lines)
    }
}
