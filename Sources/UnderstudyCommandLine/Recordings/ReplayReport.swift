import BusinessLogic
import Understudy
import UnderstudyReplay

/// What replays of several recordings have found, in groups of one cause each. Its size depends on the number of causes, not on that of recordings.
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
        /// The page of the first finding; `nil` if the recording cannot be replayed.
        var page: String?
        /// The event of the first finding; `nil` if the recording cannot be replayed.
        var event: String?
        /// What differs, why it cannot be compared, or why it cannot be replayed.
        let cause: String

        var description: String {
            guard let page, let event else { return "\(outcome.rawValue): \(cause)" }
            return "\(outcome.rawValue) at \(event) of page \(page): \(cause)"
        }
    }

    /// Recordings with one cause.
    struct Group {
        var count = 1
        /// The file of the shortest recording; of several, the first by name.
        var file: String
        /// The number of events in that file.
        var events: Int
        /// What a replay of that file alone prints about the first finding, or why the file cannot be replayed.
        var lines: [String]
    }

    /// The maximum length of a text, in characters.
    private static let maximumLength = 1000

    private var unchanged = 0
    /// The number of recordings whose last line is incomplete.
    private var incomplete = 0
    private var groups: [Key: Group] = [:]

    /// The number of recordings.
    var count: Int { Outcome.allCases.map { count($0) }.reduce(0, +) }

    func count(_ outcome: Outcome) -> Int {
        outcome == .unchanged
            ? unchanged : groups.filter { $0.key.outcome == outcome }.map(\.value.count).reduce(0, +)
    }

    /// Adds the replay of a recording. Its group is that of its first difference, because later ones can be consequences.
    mutating func add(_ recording: Recording, _ findings: [Recording.Finding], of file: String) {
        if recording.isCut { incomplete += 1 }
        guard let finding = findings.first(where: { !$0.isNotCompared }) ?? findings.first else {
            unchanged += 1
            return
        }
        let outcome = finding.isNotCompared ? Outcome.partlyCompared : .changed
        let key = Key(
            outcome: outcome,
            page: finding.page,
            event: finding.name.name.cut(Self.maximumLength),
            cause: finding.cause.cut(Self.maximumLength)
        )
        let lines = finding.lines(\.escaped).map { $0.cut(Self.maximumLength) }
        add(Group(file: file, events: recording.events.count, lines: lines), to: key)
    }

    /// Adds a file that cannot be replayed.
    mutating func add(_ failure: RecordingFile.Failure, of file: String) {
        let reason = failure.description.cut(Self.maximumLength)
        add(
            Group(file: file, events: 0, lines: [reason.escaped]),
            to: Key(outcome: .notReplayable, cause: failure.cause.cut(Self.maximumLength))
        )
    }

    /// Adds all recordings of another report.
    mutating func add(_ other: ReplayReport) {
        unchanged += other.unchanged
        incomplete += other.incomplete
        for (key, group) in other.groups { add(group, to: key) }
    }

    private mutating func add(_ group: Group, to key: Key) {
        let known = groups[key]
        var shortest = group
        if let known, (known.events, known.file) < (group.events, group.file) { shortest = known }
        shortest.count = group.count + (known?.count ?? 0)
        groups[key] = shortest
    }

    /// The report as lines. No text of a recording can begin a line or control the terminal.
    var lines: [String] {
        let parts = Outcome.allCases.filter { $0 == .unchanged || count($0) > 0 }.map { "\(count($0)) \($0.rawValue)" }
        var lines = ["\(count) recordings: \(parts.joined(separator: ", "))"]
        if incomplete > 0 { lines.append("incomplete last lines, which are not replayed: \(incomplete)") }
        for (key, group) in sortedGroups {
            lines += ["", "\(group.count) \(key.description.escaped)"]
            lines += ["\(group.file.escaped): \(group.lines[0])"] + group.lines.dropFirst()
        }
        return lines
    }

    /// The groups: first those that have changed, the largest first.
    private var sortedGroups: [(key: Key, group: Group)] {
        Outcome.allCases.flatMap { outcome in
            groups.filter { $0.key.outcome == outcome }.map { (key: $0.key, group: $0.value) }
                .sorted { (-$0.group.count, $0.key.order) < (-$1.group.count, $1.key.order) }
        }
    }
}

extension ReplayReport.Key {
    /// A text by which groups of one size are sorted.
    fileprivate var order: String { "\(page ?? "")\0\(event ?? "")\0\(cause)" }
}

extension String {
    /// The text, with an ellipsis in place of the end if it is longer.
    fileprivate func cut(_ length: Int) -> String {
        utf8.count > length && count > length ? prefix(length) + "…" : self
    }
}
