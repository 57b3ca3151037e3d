import ArgumentParser
import BusinessLogic

struct ImportOptions: ParsableArguments {
    @Argument(help: "The JSON Lines file; '-' is standard input.", completion: .file())
    var file: String

    /// The number of records that are stored in one transaction.
    private static let batchSize = 500

    /// Imports the file, and prints a report. If `item` throws an ``AccountRejection``, the line is rejected. `save` stores items, all or
    /// none; if it throws an ``AccountRejection``, it is called with each of them alone.
    func run<Item>(
        members: [String],
        item: ([String: String]) async throws -> Item,
        save: ([Item]) async throws -> Void
    ) async throws {
        var lines = try LineReader(path: file)
        let progress = ProgressLine()
        var (line, imported, rejected) = (0, 0, 0)
        func attempt(_ line: Int, _ work: () async throws -> Void) async throws {
            do {
                try await work()
            } catch let error as any AccountRejection {
                rejected += 1
                progress.clear()
                Terminal.printProgress("line \(line): \("\(error)".printable)\n")
            }
        }
        while lines.first != nil {
            var items: [(line: Int, item: Item)] = []
            while items.count < Self.batchSize, let text = lines.next() {
                line += 1
                if line == 1 { try checkBeginning(text) }
                try await attempt(line) {
                    if let values = try Self.values(text, members) { items.append((line, try await item(values))) }
                }
            }
            do {
                if !items.isEmpty { try await save(items.map(\.item)) }
                imported += items.count
            } catch is any AccountRejection {
                for (line, item) in items {
                    try await attempt(line) {
                        try await save([item])
                        imported += 1
                    }
                }
            }
            progress.show("imported \(imported)")
        }
        progress.clear()
        Terminal.print("imported \(imported), rejected \(rejected)")
        if let error = lines.error { throw CommandError("The file cannot be read to its end: \(error).") }
        if rejected > 0 { throw ExitCode.failure }
    }

    /// Throws if the first line is not one of JSON Lines: a CSV file begins with the name of a column.
    private func checkBeginning(_ text: [UInt8]) throws(CommandError) {
        guard let first = text.first, first != UInt8(ascii: "{"), !Self.isSpace(first) else { return }
        throw CommandError(
            "'\(file)' does not begin with '{'; expected JSON Lines, with an object on each line. "
                + "The section 'Import accounts and products' of docs/accounts.md shows how to convert a CSV file."
        )
    }

    /// The members of a line's object that are neither null nor empty, by their names; `nil` for a line that is empty.
    private static func values(_ text: [UInt8], _ members: [String]) throws(CommandError) -> [String: String]? {
        guard text.count <= LineReader.maximumLength else { throw CommandError("the record is longer than 1 MiB") }
        if text.allSatisfy(isSpace) { return nil }
        guard String(validating: text, as: UTF8.self) != nil else { throw CommandError("the text is not UTF-8") }
        let expected = "expected a JSON object whose members are strings"
        let value: Value
        do throws(JSONError) { value = try JSONReader.read(text) } catch {
            throw CommandError("\(expected), but \(error.reason)")
        }
        guard case .object(let object) = value else { throw CommandError(expected) }
        if let unknown = object.map({ $0.name }).filter({ !members.contains($0) }).min() {
            throw CommandError("unknown member '\(unknown)'; the members may be \(members.joined(separator: ", "))")
        }
        var values: [String: String] = [:]
        for (name, member) in object where member != .null && member != "" {
            guard let text = member.string else { throw CommandError(expected) }
            // No page accepts such a text, and no database stores it.
            guard !text.containsNUL else { throw CommandError("the value of '\(name)' contains U+0000") }
            values[name] = text
        }
        return values
    }

    private static func isSpace(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") || byte == UInt8(ascii: "\r")
    }
}
