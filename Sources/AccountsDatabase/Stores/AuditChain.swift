import Accounts
import BusinessLogic

/// What the record of a deletion of old records contains.
struct AuditPruning {
    /// The time before which records are deleted.
    let time: Timestamp
    /// The hash of the last record that is deleted.
    let last: String

    init(before time: Timestamp, last: String) {
        self.time = time
        self.last = last
    }

    /// Reads the reason of a record.
    init?(_ reason: String) {
        guard let match = reason.wholeMatch(of: /before=(\S+) last=([0-9a-f]{64})/),
            let time = Timestamp(String(match.1))
        else { return nil }
        self.init(before: time, last: String(match.2))
    }

    var reason: String { "before=\(time.text) last=\(last)" }
}

/// The chain of the audit log: each record contains the hash of the one before it, so that a record that is removed, changed or moved breaks it.
package struct AuditChain {
    /// The number of records that continue the record before them, including the first one.
    package private(set) var validCount = 0
    /// The hash of the last record; `nil` before the first one.
    package private(set) var last: String?
    /// The first record, if it continues a missing record, whose deletion no record has reported yet.
    private var unexplainedStart: (time: Timestamp, previous: String)?

    package init() {}

    /// Whether the records before the first one are missing, although no record reports that
    /// ``SQLDatabase/pruneAuditRecords(before:_:)`` has deleted them. Known after the last record.
    package var isWithoutBeginning: Bool { unexplainedStart != nil }

    /// Adds the next record. Returns what is wrong with it; `nil` if it continues the chain, as the first record always does.
    package mutating func add(_ record: StoredAuditRecord) -> String? {
        let expected = last
        last = record.hash
        guard let members = try? JSONReader.read(record.line).object, let event = members["event"]?.string else {
            return "this line is not a record: it was changed"
        }
        let previous = members["previous"]?.string
        guard expected == nil || previous == expected else {
            return "this record does not continue the one before: a record was removed, changed or moved"
        }
        validCount += 1
        if expected == nil, let previous { unexplainedStart = (record.time, previous) }
        if let start = unexplainedStart, event == AuditEvent.Kind.auditPruned.rawValue,
            let pruning = members["reason"]?.string.flatMap({ AuditPruning($0) }),
            // A deletion that was interrupted has left some of the records.
            pruning.last == start.previous || start.time < pruning.time
        {
            unexplainedStart = nil
        }
        guard members["time"]?.string == record.time.text, members["account"]?.string == record.account?.text else {
            return "the columns of this record differ from its line: they were changed"
        }
        return nil
    }
}
