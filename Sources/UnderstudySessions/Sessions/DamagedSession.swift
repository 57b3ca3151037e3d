import BusinessLogic
import FoundationEssentials
import SessionStorage

/// Why a stored session cannot be continued by any version of the program: its storage is damaged, or another program has changed it.
package struct DamagedSession: Error, Equatable, CustomStringConvertible {
    let column: String
    /// What the value is, without a text that a user has entered.
    let reason: String

    package var description: String { "the column '\(column)' is damaged: \(reason)" }

    /// No client reads larger numbers of commits and of commands exactly.
    private static let numbers = 0...(1 << 53)
    private static let times = Timestamp(milliseconds: 0)...Timestamp(milliseconds: 253_402_300_799_999)

    /// The number is one of a commit or of a command. Arithmetic with a larger one could overflow.
    static func check(_ number: Int, _ column: String, _ name: StaticString) throws(DamagedSession) {
        if !numbers.contains(number) { throw DamagedSession(column: column, reason: "\(name) is \(number)") }
    }

    static func check(_ time: Timestamp, _ column: String) throws(DamagedSession) {
        if !times.contains(time) { throw DamagedSession(column: column, reason: "it is \(time.milliseconds) ms") }
    }
}

extension StoredSession {
    /// Checks everything except the contents.
    package func check() throws(DamagedSession) {
        if SessionID(bytes: id) == nil { throw DamagedSession(column: "id", reason: "it has \(id.count) bytes") }
        try DamagedSession.check(created, "created")
        try DamagedSession.check(lastUsed, "last_used")
        if version == 0 { throw DamagedSession(column: "version", reason: "the number of commits is 0") }
        try DamagedSession.check(version, "version", "the number of commits")
        var last = 0
        for event in events {
            guard last < event.version, event.version <= version else {
                throw DamagedSession(column: "session_event.version", reason: "it is \(event.version) after \(last)")
            }
            last = event.version
        }
    }

    /// The first 32 bits of the ID, as ``SessionID/brief``, although a damaged ID may be shorter.
    package var brief: String { Self.brief(id) }

    package static func brief(_ id: [UInt8]) -> String {
        SessionID(bytes: Array((id + [UInt8](repeating: 0, count: 16)).prefix(16)))?.brief ?? ""
    }
}

extension SessionSnapshot {
    func check() throws(DamagedSession) {
        try DamagedSession.check(sequence, "content", "the number of the last command")
        try CommandHistory.check(history, column: "content")
    }

    /// Revocations find the user's ID in the row.
    package func check(user id: String?) throws(DamagedSession) {
        if id != user?.id { throw DamagedSession(column: "account_id", reason: "the content names another user") }
    }
}

extension CommandHistory {
    static func check(_ entries: [Entry], column: String) throws(DamagedSession) {
        guard var last = entries.first?.sequence else { return }
        try DamagedSession.check(last, column, "the number of the first command")
        for entry in entries.dropFirst() {
            guard entry.sequence == last + 1 else {
                throw DamagedSession(column: column, reason: "the command after \(last) has number \(entry.sequence)")
            }
            last += 1
        }
    }
}

extension JSONDecoder {
    /// Decodes a value from a column. JSON that another version has written may lack members, but bytes that are not JSON are damaged.
    func decode<Content: Decodable>(_ type: Content.Type, from bytes: [UInt8], column: String) throws -> Content {
        do {
            return try decode(type, from: Data(bytes))
        } catch DecodingError.dataCorrupted(let context) where context.codingPath.isEmpty {
            throw DamagedSession(column: column, reason: "it is not JSON")
        }
    }
}
