import ArgumentParser

/// The options of the commands that import a file.
struct ImportOptions: ParsableArguments {
    @Argument(help: "The JSON Lines file; '-' is standard input.")
    var file: String

    @Option(
        help: "The number of lines that are imported together, all or none: from 1 to 10000.",
        transform: TextParser("a number from 1 to 10000") { Int($0).flatMap { 1...10_000 ~= $0 ? $0 : nil } }.parse
    )
    var batch = 500

    static let help = """
        Each line of the file is a JSON object with members of these names, whose values are strings. Rejected lines are reported on standard error. A batch with a rejected line is left out \
        as a whole, and the import continues with the next one; '--batch 1' leaves out only rejected lines. \
        Exit status: 0 if all lines were imported, 1 if not, 64 wrong usage.
        """

    /// Imports the file.
    ///
    /// - Throws: ``CommandError`` if the file cannot be read; `ExitCode` if a line was rejected.
    func run(_ target: some ImportTarget) async throws {
        var reader = JSONLinesReader(try LineReader(path: file), members: target.members)
        guard reader.canBegin() else {
            throw CommandError(
                "'\(file)' does not begin with '{'; expected JSON Lines, with an object on each line. "
                    + "The section 'Import accounts and products' of docs/accounts.md shows how to convert a CSV file."
            )
        }
        try await RecordImporter(target: target, batchSize: batch).run(reader)
    }
}
