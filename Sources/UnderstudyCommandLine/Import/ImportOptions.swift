import ArgumentParser

/// What is imported, and how.
struct ImportOptions: ParsableArguments {
    @Argument(help: "The file, whose name ends in .csv or .jsonl; '-' is standard input.")
    var file: String

    @Option(help: "What the file is: csv or jsonl. (default: what its name ends in)")
    var format: RecordFormat?

    @Option(help: "How many are imported together, or none of them. (default: 500)")
    var batch: Batch?

    static let help = """
        A CSV file (RFC 4180, UTF-8) begins with a line that names its columns; a JSON Lines file has an object a line. \
        What is refused is reported with its line on standard error. A batch in which something is refused is left out as a \
        whole, and the next one is tried; '--batch 1' leaves out only what is refused. \
        Exit status: 0 if all was imported, 1 if not, 64 wrong usage.
        """

    /// What the file is.
    ///
    /// - Throws: `ValidationError` where nobody says.
    func recordFormat() throws -> RecordFormat {
        guard let format = format ?? RecordFormat(path: file) else {
            throw ValidationError("Say what '\(file)' is: '--format csv' or '--format jsonl'.")
        }
        return format
    }

    /// Imports the file.
    ///
    /// - Throws: ``CommandError`` where the file is no such file; `ExitCode` where something was refused.
    func run(_ target: some ImportTarget) async throws {
        let format = try recordFormat()
        let bytes = try ByteReader(path: file)
        do {
            switch format {
            case .csv:
                let reader = try CSVReader(bytes, columns: target.columns)
                try await Importer(target: target, batch: batch?.number ?? 500).run(reader)
            case .jsonl:
                let reader = JSONLinesReader(bytes, members: target.columns)
                try await Importer(target: target, batch: batch?.number ?? 500).run(reader)
            }
        } catch let error as RefusedLine {
            throw CommandError("line \(error.line): \(error.reason)")
        }
    }
}

extension RecordFormat: ExpressibleByArgument {}

/// How many belong together.
struct Batch: ExpressibleByArgument {
    let number: Int

    init?(argument: String) {
        guard let number = Int(argument), 1...10_000 ~= number else { return nil }
        self.number = number
    }
}
