import ArgumentParser
import UnderstudyPages

/// `understudy explain`.
struct ExplainCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "explain",
        abstract: "Print what logs say about a request: what failed, why, and where the time went.",
        discussion: """
            Reads logs of 'serve' in JSON, which contain the audit records as well; lines of other programs, and what a journal writes before a \
            line, do not matter. \
            The ID of a request is in the response: as 'X-Request-ID', and as 'requestID' of a problem.

              understudy explain ID /var/log/understudy.log
              journalctl --unit understudy --output cat | understudy explain ID

            Exit status: 0 done, 1 no line is about the request, 64 wrong usage, 66 a file cannot be read, 74 a file cannot be read to its \
            end.
            """
    )

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
