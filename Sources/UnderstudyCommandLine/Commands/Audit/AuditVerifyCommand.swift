import Accounts
import ArgumentParser

/// `understudy audit verify`.
struct AuditVerifyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify",
        abstract: "Find records of the audit log that were removed, changed or moved.",
        discussion: """
            Each record contains the SHA-256 of the line before it. Name rotated files before the current one, the oldest first; '-' is standard \
            input. The first record of the first file may continue any record. The command prints the hash of the last line. Keep it elsewhere, and \
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
        var files = files
        if files.isEmpty {
            guard let file = try audit.place(in: storage, try await storage.configuration.settings()).file else {
                let journal = "journalctl --identifier \(AuditJournal.identifier) --output cat"
                throw CommandError(
                    "The audit log is in the journal: pass the output of '\(journal)' to this command with '-'."
                )
            }
            files = [file.path]
        }
        var chain = AuditChain()
        var faults: [String] = []
        var containsHash = contains == nil
        for file in files {
            var reader = try ByteReader(path: file)
            var number = 0
            while let line = reader.readLine() {
                number += 1
                if let fault = chain.add(line) { faults.append("\(file.printable), line \(number): \(fault)") }
                if chain.last == contains?.lowercased() { containsHash = true }
            }
            if let error = reader.error {
                throw CommandError("The file '\(file)' cannot be read to its end: \(error).")
            }
        }
        Terminal.print("\(chain.validCount) \(chain.validCount == 1 ? "record is" : "records are") valid")
        if let last = chain.last { Terminal.print("last hash: \(last)") }
        if let first = faults.first {
            let more = faults.count > 1 ? " (\(faults.count - 1) more)" : ""
            throw CommandError("\(first)\(more)")
        }
        if !containsHash { throw CommandError("No line has the hash that '--contains' gives: records are missing.") }
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
