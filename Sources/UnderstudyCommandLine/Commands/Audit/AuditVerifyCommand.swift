import Accounts
import AccountsDatabase
import ArgumentParser

/// `understudy audit verify`.
struct AuditVerifyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify",
        abstract: "Find records of the audit log that were removed, changed or moved.",
        discussion: """
            Each record contains the SHA-256 of the line before it. Name rotated files before the current one, the oldest first; '-' is standard \
            input. The first record of the first file may continue any record. In a database, it may continue one that 'audit prune' has deleted; \
            while that command runs, records can seem to be missing. The command prints the hash of the last line. Keep it elsewhere, and \
            give it with '--contains' the next time: otherwise, records that are missing at the end are not found, and neither is a log \
            that was written again from some record on. Exit status: 0 all records are valid, 1 a line is not, or the file cannot be read, 64 wrong usage.
            """
    )

    @Argument(help: "The files. (default: the audit log)")
    var files: [String] = []

    @Option(help: "A hash that this command has printed before: the log must contain the line with this hash.")
    var contains: String?

    @OptionGroup(title: "Storage") var storage: StorageOptions
    @OptionGroup(title: "Storage") var audit: AuditOptions

    func run() async throws {
        if !files.isEmpty { return try verify(files) }
        let settings = try await storage.configuration.settings()
        switch try audit.place(in: storage, settings) {
        case .file(let file): try verify([file.path])
        case .journal:
            throw CommandError(
                "The audit log is in the journal: pass the output of '\(AuditPlace.journalSearch)' to this command with '-'."
            )
        case .database: try await verify(AdminContext.open(storage, settings, creating: false).database)
        }
    }

    private func verify(_ files: [String]) throws {
        var chain = AuditChain()
        var findings = AuditFindings(requiring: contains)
        for file in files {
            var reader = try ByteReader(path: file)
            var number = 0
            while let line = reader.readLine() {
                number += 1
                if let fault = chain.add(line) { findings.add("\(file.printable), line \(number): \(fault)") }
                findings.addHash(chain.last)
            }
            if let error = reader.error {
                throw CommandError("The file '\(file)' cannot be read to its end: \(error).")
            }
        }
        try findings.report(chain)
    }

    private func verify(_ database: any Database) async throws {
        var chain = StoredAuditChain()
        var findings = AuditFindings(requiring: contains)
        try await database.forEachAuditRecord { record in
            if let fault = chain.add(record) { findings.add("record \(record.number) in the database: \(fault)") }
            findings.addHash(chain.lines.last)
        }
        if chain.isWithoutBeginning {
            findings.add("the records before the first one were removed, and no record of 'audit prune' reports this")
        }
        try findings.report(chain.lines)
    }
}

extension ByteReader {
    /// Reads to the next line feed, which is not part of the line; `nil` at the end.
    fileprivate mutating func readLine() -> [UInt8]? {
        guard peek() != nil else { return nil }
        var line: [UInt8] = []
        while let byte = read(), byte != UInt8(ascii: "\n") { line.append(byte) }
        return line
    }
}
