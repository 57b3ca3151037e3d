import BusinessLogic
import Understudy
import UnderstudyReplay

/// What replays of many recordings have found, in groups of one cause each. Its size does not depend on the number of recordings.
struct ImpactReport {
    /// What a replay has shown.
    enum Outcome: String, CaseIterable {
        /// Every event gives what was recorded.
        case unchanged
        /// An event differs.
        case changed
        /// No event differs, but one cannot be compared.
        case partlyCompared
        /// The file cannot be read, or not be replayed.
        case notReplayable

        var title: String {
            switch self {
            case .unchanged, .changed: rawValue
            case .partlyCompared: "partly compared"
            case .notReplayable: "not replayable"
            }
        }
    }

    /// What the recordings of a group have in common.
    struct Key: Hashable {
        let outcome: Outcome
        /// The page of the first finding; `nil` if the recording cannot be replayed.
        var page: String?
        /// The event of the first finding; `nil` if the recording cannot be replayed.
        var event: String?
        /// What differs, why it cannot be compared, or why it cannot be replayed.
        let cause: String
    }

    /// Recordings with one cause.
    struct Group {
        var count = 1
        /// The file of the shortest recording; of several, the first by name.
        var file: String
        /// The number of events in that file.
        var events: Int
        /// What `understudy replay` prints about the first finding in that file, or why the file cannot be replayed.
        var lines: [String]
        /// The same for a program.
        var members: Value.Object
    }

    /// The maximum number of groups. Recordings of further ones are only counted.
    static let maximumGroups = 1000
    /// The maximum length of a text, in characters.
    private static let maximumLength = 1000

    private(set) var counts: [Outcome: Int] = [:]
    /// The number of recordings whose last line is incomplete.
    private(set) var incomplete = 0
    private(set) var groups: [Key: Group] = [:]
    /// The number of recordings that belong to none of the groups, because there are too many.
    private(set) var ungrouped = 0

    /// The number of recordings.
    var count: Int { counts.values.reduce(0, +) }

    func count(_ outcome: Outcome) -> Int { counts[outcome] ?? 0 }

    /// Adds the replay of a recording. Its group is that of its first difference, because later ones can be consequences.
    mutating func add(_ recording: Recording, _ findings: [Recording.Finding], of file: String) {
        if recording.isCut { incomplete += 1 }
        guard let finding = findings.first(where: { !$0.isNotCompared }) ?? findings.first else {
            counts[.unchanged, default: 0] += 1
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
        counts[outcome, default: 0] += 1
        var members: Value.Object = ["events": Value(recording.events.count), "event": Value(finding.event)]
        switch finding.kind {
        case .difference(let part, let recorded, let now):
            for (name, text) in [("in", part), ("recorded", recorded), ("now", now)] {
                members[name] = .string(text.cut(Self.maximumLength))
            }
        case .notCompared(let reason): members["reason"] = .string(reason.cut(Self.maximumLength))
        }
        add(Group(file: file, events: recording.events.count, lines: lines, members: members), to: key)
    }

    /// Adds a file that cannot be replayed.
    mutating func add(_ failure: RecordingFile.Failure, of file: String) {
        let reason = failure.description.cut(Self.maximumLength)
        counts[.notReplayable, default: 0] += 1
        add(
            Group(file: file, events: 0, lines: [reason.escaped], members: ["reason": .string(reason)]),
            to: Key(outcome: .notReplayable, cause: failure.cause.cut(Self.maximumLength))
        )
    }

    /// Adds all recordings of another report.
    mutating func add(_ other: ImpactReport) {
        counts.merge(other.counts, uniquingKeysWith: +)
        incomplete += other.incomplete
        ungrouped += other.ungrouped
        for (key, group) in other.groups { add(group, to: key) }
    }

    private mutating func add(_ group: Group, to key: Key) {
        guard var known = groups[key] else {
            if groups.count < Self.maximumGroups { groups[key] = group } else { ungrouped += group.count }
            return
        }
        let count = known.count + group.count
        if (group.events, group.file) < (known.events, known.file) { known = group }
        known.count = count
        groups[key] = known
    }

    /// The groups: first those that have changed, the largest first.
    var sortedGroups: [(key: Key, group: Group)] {
        Outcome.allCases.flatMap { outcome in
            groups.filter { $0.key.outcome == outcome }.map { (key: $0.key, group: $0.value) }
                .sorted { (-$0.group.count, $0.key.order) < (-$1.group.count, $1.key.order) }
        }
    }
}

extension ImpactReport.Key {
    /// A text by which groups of one size are sorted.
    fileprivate var order: String { "\(page ?? "")\0\(event ?? "")\0\(cause)" }
}

extension String {
    /// The text, with an ellipsis in place of the end if it is longer.
    fileprivate func cut(_ length: Int) -> String {
        utf8.count > length && count > length ? prefix(length) + "…" : self
    }
}
