import Accounts
import AccountsDatabase
import BusinessLogic
import FoundationEssentials
import Glibc
import SessionStorage
import Understudy

/// All data about the user of an account.
struct AccountExport {
    private let content: Value

    /// Collects the data.
    ///
    /// - Parameter audit: where the audit log is. A file may be missing, and the journal is not searched.
    static func collect(
        of account: Account,
        in database: any Database,
        audit: AuditPlace
    ) async throws -> AccountExport {
        let entry = try await AccountEntry.entries([account], in: database).first
        let devices = try await database.devices(of: account.id)
        let saved = try await database.savedSessions(of: account.id)
        let shared = try await database.sharedSessions(of: account.id)
        let records =
            audit.isDatabase
            ? try await storedRecords(of: account.id, in: database) : try records(of: account.id, in: audit.file?.path)
        return try AccountExport(entry, devices, saved, shared, records)
    }

    // Swift 6.3.1 crashes if it inlines this into an asynchronous function.
    @inline(never)
    private init(
        _ entry: AccountEntry?,
        _ devices: [Device],
        _ saved: [StoredSession],
        _ shared: [SharedSession],
        _ records: [Value]
    ) throws {
        content = [
            "account": entry.map { .object($0.members) } ?? .null,
            "devices": .array(devices.map(Value.init)),
            "sessions": .array(try saved.map { try Value($0) } + shared.map { try Value($0.session, $0.events) }),
            "auditRecords": .array(records),
        ]
    }

    /// The export as JSON in several lines. It escapes unprintable characters, because users choose them.
    var json: String {
        get throws {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
            return String(decoding: try encoder.encode(content), as: UTF8.self)
                .split(separator: "\n", omittingEmptySubsequences: false).map { String($0).escaped }
                .joined(separator: "\n")
        }
    }

    /// The records of an account in the database. Ignores what is not a record.
    private static func storedRecords(of account: AccountID, in database: some Database) async throws -> [Value] {
        var records: [Value] = []
        try await database.forEachAuditRecord(of: account) { record in
            if let members = try? JSONReader.read(record.line).object { records.append(.object(members)) }
        }
        return records
    }

    /// The records of an account in the audit log. Ignores lines that are not records, such as one that is cut off.
    private static func records(of account: AccountID, in path: String?) throws -> [Value] {
        guard let path, access(path, F_OK) == 0 else { return [] }
        var reader = JSONLinesReader(
            try ByteReader(path: path),
            members: ["time", "event", "account", "reason", "address", "requestID", "operator", "previous"]
        )
        var records: [Value] = []
        while true {
            do throws(RejectedLine) {
                guard let record = try reader.next() else { break }
                guard record.values["account"] == account.text else { continue }
                var members: Value.Object = [:]
                for (name, value) in record.values { members[name] = .string(value) }
                records.append(.object(members))
            } catch {
                continue
            }
        }
        if let error = reader.readError { throw CommandError("The file '\(path)' cannot be read: \(error).") }
        return records
    }
}

extension Value {
    fileprivate init(_ device: Device) {
        self = ["expires": .string(device.expires.text), "failedLogins": Value(device.failures)]
    }

    /// - Throws: `DecodingError` if the session's content is not JSON.
    fileprivate init(_ session: StoredSession, _ events: [StoredEvent] = []) throws {
        // Not with `JSONReader`, which rejects what is nested as deeply as a page may render it.
        let decoder = JSONDecoder()
        self = [
            "created": .string(session.created.text), "lastUsed": .string(session.lastUsed.text),
            "content": try decoder.decode(Value.self, from: Data(session.content)),
            "events": .array(try events.map { try decoder.decode(Value.self, from: Data($0.content)) }),
        ]
    }
}
