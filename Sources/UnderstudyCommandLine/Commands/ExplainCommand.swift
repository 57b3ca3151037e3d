import ArgumentParser

struct ExplainCommand: ParsableCommand {
    static let configuration = CommandConfiguration("explain")

    @Argument(help: ArgumentHelp("The ID of the request.", valueName: "id"))
    var id: String

    @Argument(
        help: ArgumentHelp("Files with logs; '-' for standard input, which is the default.", valueName: "file"),
        completion: .file()
    )
    var files: [String] = []

    func run() throws {
        if files.isEmpty, Terminal.canAsk {
            throw ValidationError("Name the files of the log, or pipe the log to this command.")
        }
        var explanation = RequestExplanation(id)
        for file in files.isEmpty ? ["-"] : files { try explanation.read(file) }
        guard !explanation.isEmpty else {
            throw CommandError(
                "No line is about the request '\(id)'. The log may be rotated, contain no access log, or be text instead of JSON."
            )
        }
        for line in explanation.lines { Terminal.print(line) }
    }
}
