import ArgumentParser
import BusinessLogic

/// The options of the commands that import a file.
struct ImportOptions: ParsableArguments {
    @Argument(help: "The JSON Lines file; '-' is standard input.")
    var file: String

    static let help = """
        Each line of the file is a JSON object with members of these names, whose values are strings. Rejected lines are reported on standard error, and the import continues with the others. \
        Exit status: 0 if all lines were imported, 1 if not, 64 wrong usage.
        """

    /// The number of lines that are converted at the same time and stored in one transaction. More passwords could be too many to wait for a
    /// thread of `PasswordHasher`.
    private static let batchSize = 50

    /// Imports the file, and prints a report.
    ///
    /// - Parameters:
    ///   - members: the names that members may have; `nil` for any.
    ///   - item: converts the values of a line. An ``AccountRejection`` rejects it.
    ///   - save: stores items, all or none. If an ``AccountRejection`` rejects them, it is called with each of them alone.
    /// - Throws: ``CommandError`` if the file cannot be read; `ExitCode` if a line was rejected; other errors of `item` and `save`.
    func run<Item: Sendable>(
        members: [String]?,
        item: @escaping @Sendable ([String: String]) async throws -> Item,
        save: ([Item]) async throws -> Void
    ) async throws {
        var lines = try LineReader(path: file)
        let progress = ProgressLine()
        var (count, imported, rejected) = (0, 0, 0)
        func reject(_ line: Int, _ reason: any AccountRejection) {
            rejected += 1
            progress.clear()
            Terminal.printProgress("line \(line): \("\(reason)".printable)\n")
        }
        while lines.first != nil {
            var batch: [(line: Int, text: [UInt8])] = []
            while batch.count < Self.batchSize, let text = lines.next() {
                count += 1
                if count == 1 { try checkBeginning(text) }
                batch.append((count, text))
            }
            var items: [(line: Int, item: Item)] = []
            for (line, result) in await Self.items(batch, members, item) {
                do {
                    if let item = try result.get() { items.append((line, item)) }
                } catch let error as any AccountRejection {
                    reject(line, error)
                }
            }
            do {
                if !items.isEmpty { try await save(items.map(\.item)) }
                imported += items.count
            } catch is any AccountRejection {
                for (line, item) in items {
                    do {
                        try await save([item])
                        imported += 1
                    } catch let error as any AccountRejection {
                        reject(line, error)
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

    /// - Throws: ``CommandError`` if the first line is not one of JSON Lines: a CSV file begins with the name of a column.
    private func checkBeginning(_ text: [UInt8]) throws(CommandError) {
        guard let first = text.first, first != UInt8(ascii: "{"), !Self.isSpace(first) else { return }
        throw CommandError(
            "'\(file)' does not begin with '{'; expected JSON Lines, with an object on each line. "
                + "The section 'Import accounts and products' of docs/accounts.md shows how to convert a CSV file."
        )
    }

    /// The items of lines, or why there are none, in the order of the lines; `nil` for a line that is empty.
    private static func items<Item: Sendable>(
        _ batch: [(line: Int, text: [UInt8])],
        _ members: [String]?,
        _ item: @escaping @Sendable ([String: String]) async throws -> Item
    ) async -> [(line: Int, result: Result<Item?, any Error>)] {
        await withTaskGroup(of: (line: Int, result: Result<Item?, any Error>).self) { group in
            for (line, text) in batch {
                group.addTask {
                    do {
                        guard let values = try values(text, members) else { return (line, .success(nil)) }
                        return (line, .success(try await item(values)))
                    } catch {
                        return (line, .failure(error))
                    }
                }
            }
            return await group.reduce(into: []) { $0.append($1) }.sorted { $0.line < $1.line }
        }
    }

    /// The members of a line's object that are neither null nor empty, by their names. If any name is possible, those that are not texts
    /// are JSON. Returns `nil` for a line that is empty.
    ///
    /// - Throws: ``CommandError``, which describes what is wrong.
    static func values(_ text: [UInt8], _ members: [String]?) throws(CommandError) -> [String: String]? {
        guard text.count <= LineReader.maximumLength else { throw CommandError("the record is longer than 1 MiB") }
        if text.allSatisfy(isSpace) { return nil }
        guard String(validating: text, as: UTF8.self) != nil else { throw CommandError("the text is not UTF-8") }
        let expected = "expected a JSON object" + (members == nil ? "" : " whose members are strings")
        let value: Value
        do throws(JSONError) { value = try JSONReader.read(text) } catch {
            throw CommandError("\(expected), but \(error.reason)")
        }
        guard case .object(let object) = value else { throw CommandError(expected) }
        if let members, let unknown = object.map({ $0.name }).filter({ !members.contains($0) }).min() {
            throw CommandError("unknown member '\(unknown)'; the members may be \(members.joined(separator: ", "))")
        }
        var values: [String: String] = [:]
        for (name, member) in object where member != .null && member != .string("") {
            guard let text = member.string ?? (members == nil ? member.line : nil) else { throw CommandError(expected) }
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
