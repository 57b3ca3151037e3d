import ArgumentParser

/// The options of the commands that import a file.
struct ImportOptions: ParsableArguments {
    @Argument(help: "The file, whose name ends in .csv, .jsonl or .ndjson; '-' is standard input.")
    var file: String

    @Option(help: "The format of the file: csv or jsonl. (default: the ending of its name)")
    var format: RecordFormat?

    @Option(help: "The number of lines that are imported together, all or none: from 1 to 10000. (default: 500)")
    var batch: BatchSize?

    static let help = """
        A CSV file (RFC 4180, UTF-8) begins with a line that names its columns; a JSON Lines file has an object per line, \
        with members of these names. Rejected lines are reported on standard error. A batch with a rejected line is left out \
        as a whole, and the import continues with the next one; '--batch 1' leaves out only rejected lines. \
        Exit status: 0 if all lines were imported, 1 if not, 64 wrong usage.
        """

    /// Returns the format of the file.
    ///
    /// - Throws: `ValidationError` if neither the option nor the ending of the file's name names it.
    func recordFormat() throws -> RecordFormat {
        guard let format = format ?? RecordFormat(path: file) else {
            throw ValidationError("The format of '\(file)' is unknown: give '--format csv' or '--format jsonl'.")
        }
        return format
    }

    /// Imports the file.
    ///
    /// - Throws: ``CommandError`` if the file cannot be read; `ExitCode` if a line was rejected.
    func run(_ target: some ImportTarget) async throws {
        let format = try recordFormat()
        let bytes = try ByteReader(path: file)
        do {
            switch format {
            case .csv:
                let reader = try CSVReader(bytes, columns: target.columns)
                try await RecordImporter(target: target, batchSize: batch?.number ?? 500).run(reader)
            case .jsonl:
                let reader = JSONLinesReader(bytes, members: target.columns)
                try await RecordImporter(target: target, batchSize: batch?.number ?? 500).run(reader)
            }
        } catch let error as RejectedLine {
            throw CommandError("line \(error.line): \(error.reason)")
        }
    }
}

extension RecordFormat: ExpressibleByArgument {}

/// The number of lines in a batch.
struct BatchSize: ExpressibleByArgument, DescribedArgument {
    static let expectedForm = "a number from 1 to 10000"

    let number: Int

    init?(argument: String) {
        guard let number = Int(argument), 1...10_000 ~= number else { return nil }
        self.number = number
    }
}
