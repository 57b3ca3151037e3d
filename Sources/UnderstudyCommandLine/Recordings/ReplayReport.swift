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

    /// What the recordings of a group have in common.
    struct Key: Hashable, CustomStringConvertible {
        let outcome: Outcome
        /// The page of the first finding; `nil` if there is none.
        var page: String?
        /// The event of the first finding; `nil` if there is none.
        var event: String?
        /// What differs, why it cannot be compared, or why it cannot be replayed.
        var cause = ""

        var description: String {
            guard let page, let event else { return "\(outcome.rawValue): \(cause)" }
            return "\(outcome.rawValue) at \(event) of page \(page): \(cause)"
        }
    }

    /// Recordings with one cause, or those that are unchanged.
    struct Group {
        let key: Key
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

    private var groups: [Key: Group] = [:]

    /// The number of recordings.
    var count: Int { groups.values.reduce(0) { $0 + $1.count } }

    func count(_ outcome: Outcome) -> Int {
        groups.values.reduce(0) { $0 + ($1.key.outcome == outcome ? $1.count : 0) }
    }

    /// Adds recordings.
    mutating func add(_ group: Group) {
        guard var known = groups[group.key] else {
            groups[group.key] = group
            return
        }
        if (group.events, group.file) < (known.events, known.file) {
            (known.file, known.events, known.lines) = (group.file, group.events, group.lines)
        }
        known.count += group.count
        known.incomplete += group.incomplete
        groups[group.key] = known
    }

    /// The report as lines. No text of a recording can begin a line or control the terminal.
    var lines: [String] {
        let parts = Outcome.allCases.filter { $0 == .unchanged || count($0) > 0 }.map { "\(count($0)) \($0.rawValue)" }
        var lines = ["\(count) recordings: \(parts.joined(separator: ", "))"]
        let incomplete = groups.values.reduce(0) { $0 + $1.incomplete }
        if incomplete > 0 { lines.append("incomplete last lines, which are not replayed: \(incomplete)") }
        for group in sortedGroups {
            lines += ["", "\(group.count) \(group.key.description.escaped)"]
            lines += ["\(group.file.escaped): \(group.lines[0])"] + group.lines.dropFirst()
        }
        return lines
    }

    /// The groups: first those that have changed, the largest first.
    private var sortedGroups: [Group] {
        Outcome.allCases.dropFirst().flatMap { outcome in
            groups.values.filter { $0.key.outcome == outcome }
                .sorted { (-$0.count, $0.key.order) < (-$1.count, $1.key.order) }
        }
    }
}

extension ReplayReport.Group {
    /// The group of a replayed recording: that of its first difference, because later ones can be consequences.
    init(_ recording: Recording, _ findings: [Recording.Finding], of file: String) {
        let incomplete = recording.isCut ? 1 : 0
        guard let finding = findings.first(where: { !$0.isNotCompared }) ?? findings.first else {
            self.init(key: ReplayReport.Key(outcome: .unchanged), incomplete: incomplete, file: file)
            return
        }
        let key = ReplayReport.Key(
            outcome: finding.isNotCompared ? .partlyCompared : .changed,
            page: finding.page,
            event: finding.name.name.shortened,
            cause: finding.cause.shortened
        )
        let lines = finding.lines(\.escaped).map(\.shortened)
        self.init(key: key, incomplete: incomplete, file: file, events: recording.events.count, lines: lines)
    }

    /// The group of a file that cannot be replayed.
    init(_ failure: RecordingFile.Failure, of file: String) {
        let key = ReplayReport.Key(outcome: .notReplayable, cause: failure.cause.shortened)
        self.init(key: key, file: file, lines: [failure.description.shortened.escaped])
    }
}

extension ReplayReport.Key {
    /// A text by which groups of one size are sorted.
    fileprivate var order: String { "\(page ?? "")\0\(event ?? "")\0\(cause)" }
}
