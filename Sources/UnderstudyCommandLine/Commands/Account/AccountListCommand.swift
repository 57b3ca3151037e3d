import Accounts
import ArgumentParser
import BundledControllers
import BusinessLogic
import FoundationEssentials
import Glibc
import SessionStorage

struct AccountListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration("account list")

    @Option(
        help: "List only accounts of which the username, the email address or the id contains this text, in any case."
    )
    var search: String?

    @Flag(help: "Print one JSON object per line.")
    var json = false

    @OptionGroup(title: "Storage") var storage: StorageOptions

    func run() async throws {
        let administration = try await storage.administration()
        if !json { Terminal.print(Terminal.strong(Self.row(["USERNAME", "NAME", "CREATED", "STATE"]))) }
        try await forEach(by: \.account.usernameKey) {
            try await administration.accounts(search ?? "", after: $0, limit: 500)
        } body: { summary in
            if json { return Terminal.print(json: summary) }
            let account = summary.account
            Terminal.print(
                Self.row([account.username.printable, account.name.printable, account.created.brief, summary.state])
            )
        }
    }

    /// Columns with the usual width of their texts.
    private static func row(_ texts: [String]) -> String { .row(texts, widths: [30, 20, 20]) }
}

struct AccountShowCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration("account show")

    @Argument(help: AccountArgument.help)
    var username: String

    @Flag(help: "Print a JSON object.")
    var json = false

    @OptionGroup(title: "Storage") var storage: StorageOptions

    func run() async throws {
        let (administration, account) = try await storage.administration().withAccount(username)
        for summary in try await administration.summaries(of: [account]) {
            if json { return Terminal.print(json: summary) }
            for line in summary.lines { Terminal.print(line) }
        }
    }
}

struct AccountExportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration("account export")

    @Argument(help: AccountArgument.help)
    var username: String

    @OptionGroup(title: "Storage") var storage: StorageOptions

    func run() async throws {
        let (administration, account) = try await storage.administration().withAccount(username)
        let content = try await administration.export(account)
        let json = String(decoding: try JSONEncoder.indented.encode(content), as: UTF8.self)
        // Users choose unprintable characters.
        let lines = json.split(separator: "\n", omittingEmptySubsequences: false).map { String($0).escaped }
        Terminal.print(lines.joined(separator: "\n"))
    }
}

extension Administration {
    /// All data about the user of an account.
    func export(_ account: Account) async throws -> Value {
        let summary = try await summaries(of: [account]).first
        let devices = try await database.devices(of: account.id)
        let sessions = try await database.storedSessions(of: account.id)
        var records: [Value] = []
        // Ignores what is not a record.
        try await database.forEachAuditRecord(of: account.id) { record in
            if let members = try? JSONReader.read(record.line).object { records.append(.object(members)) }
        }
        return try Value(summary, devices, sessions, records)
    }
}

extension Value {
    // Swift 6.3.1 crashes if it inlines this into an asynchronous function.
    @inline(never)
    fileprivate init(
        _ summary: AccountSummary?,
        _ devices: [Device],
        _ sessions: [StoredSession],
        _ records: [Value]
    ) throws {
        self = [
            "account": summary.map { .object($0.known) } ?? .null,
            "devices": .array(devices.map(Value.init)),
            "sessions": .array(try sessions.map { try Value($0) }),
            "auditRecords": .array(records),
        ]
    }

    fileprivate init(_ device: Device) {
        self = ["expires": .string(device.expires.text), "failedLogins": Value(device.failures)]
        self["agent"] = device.accountAgent.map {
            ["id": .string($0.id), "name": .string($0.name), "mayChange": .boolean($0.mayChange)]
        }
    }

    /// - Throws: `DecodingError` if the session's content is not JSON.
    fileprivate init(_ session: StoredSession) throws {
        // Not with `JSONReader`, which rejects what is nested as deeply as a page may render it.
        let decoder = JSONDecoder()
        self = [
            "created": .string(session.created.text), "lastUsed": .string(session.lastUsed.text),
            "content": try decoder.decode(Value.self, from: Data(session.content)),
            "events": .array(try session.events.map { try decoder.decode(Value.self, from: Data($0.content)) }),
        ]
    }
}
