import ArgumentParser
import BusinessLogic
import FoundationEssentials
import UnderstudyReplay

struct CompareCommand: AsyncParsableCommand {
    static var configuration: CommandConfiguration { CommandConfiguration("compare") }

    @Argument(help: "The old program.", completion: .file())
    var old: String

    @Argument(help: "The new program. (default: this one)", completion: .file())
    var new: String?

    @Option(name: .customLong("page"), help: "Compare only this page. You can give this option several times.")
    var wanted: [String] = []

    @Option(
        help: """
            A recording, or a file with lines of JSON, each with 'page', 'event' and 'values': further inputs, and with 'answers' \
            further results of collaborators. You can give this option several times.
            """
    )
    var add: [String] = []

    @OptionGroup var search: SearchOptions

    @Option(help: "A file of accepted differences, which do not count. '--reason' adds those that are found now.")
    var accept: String?

    @Option(help: "Why the differences that are found now are right.")
    var reason: String?

    @Flag(help: "'--reason' also adds the declared outcomes that no version has reached.")
    var acceptUnreached = false

    @Flag(help: "Print the report as a JSON object.")
    var json = false

    func validate() throws {
        if reason != nil, accept == nil { throw ValidationError("'--reason' needs '--accept FILE'.") }
        if acceptUnreached, reason == nil { throw ValidationError("'--accept-unreached' needs '--reason'.") }
    }

    func run() async throws {
        let files = try add.map(Self.readFile)
        var accepted = try accept.map(AcceptedDifferences.init(contentsOf:))
        let comparison = Comparison(
            old: try ComparedProgram(old),
            new: try ComparedProgram(new ?? Self.thisProgram()),
            limits: search.limits,
            user: User(username: "lisa@rules.example", id: "1")
        )
        let pages: [String]
        do {
            pages = try await comparison.describe(adding: files.flatMap { $0.lines.map(\.event) })
        } catch let error as ComparisonError {
            throw CommandError("\(error).", status: 70)
        }
        for file in files { try Self.check(file, comparison) }
        if let page = wanted.first(where: { !pages.contains($0) }) {
            throw ValidationError("There is no page '\(page)'. The pages are: \(pages.joined(separator: ", ")).")
        }
        let progress = ProgressLine(every: .seconds(20))
        comparison.onProgress = search.progress(in: progress)
        var report = try await comparison.run(wanted.isEmpty ? nil : Set(wanted))
        progress.clear()
        if let reason {
            accepted?.add(report, reason: reason, addsUnreached: acceptUnreached)
            try accepted?.write()
        }
        let counts = accepted?.remove(from: &report) ?? (0, 0)
        if json {
            Terminal.print(json: report.json)
        } else {
            for line in report.lines(accepted: counts) { Terminal.print(line) }
        }
        if let status = report.status { throw ExitCode(status) }
    }

    private static func thisProgram() -> String {
        (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? CommandLine.arguments[0]
    }

    private typealias Added = (name: String, isRecording: Bool, lines: [(number: Int, event: Value.Object)])

    /// The lines of a recording without its header, or lines of the same form.
    private static func readFile(_ file: String) throws -> Added {
        let bytes = try FileContent.bytes(of: file, called: "The file '\(file)'", status: 66)
        var added: Added = (file, false, [])
        let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        for (number, line) in zip(1..., lines) where !line.isEmpty {
            let members = try? JSONReader.read(Array(line)).object
            if members?["recording"] != nil {
                added.isRecording = true
            } else if let members, members["page"]?.string != nil {
                added.lines.append((number, members))
            } else {
                throw unusable(number, of: file, "is not a JSON object with the member 'page'")
            }
        }
        guard added.isRecording || !added.lines.isEmpty else {
            throw CommandError("The file '\(file)' has no events.", status: 66)
        }
        return added
    }

    /// Checks that each line that a person has written is an event that one of the programs knows. A recording also contains others.
    private static func check(_ file: Added, _ comparison: Comparison) throws {
        for (number, event) in file.lines where !file.isRecording {
            if let reason = comparison.reasonToIgnore(event) { throw unusable(number, of: file.name, reason) }
        }
    }

    private static func unusable(_ number: Int, of file: String, _ reason: String) -> CommandError {
        CommandError("Line \(number) of the file '\(file)' \(reason).", status: 66)
    }
}

struct StepCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration("step")

    func run() async throws {
        let step = ApplicationStep(try Application.current.pages(.withAllPasswordMessages))
        var hasFailed = false
        while let line = readLine() {
            let output = await step.answer(line: Array(line.utf8))
            if output["error"] != nil { hasFailed = true }
            Terminal.print(Value.object(output).line)
        }
        if hasFailed { throw ExitCode.failure }
    }
}

struct SearchOptions: ParsableArguments {
    @Option(help: "The maximum number of events in a row.", transform: TextParser.count.parse)
    var depth = Comparison.Limits().depth

    @Option(help: "The maximum number of pairs of states of each page.", transform: TextParser.count.parse)
    var pairs = Comparison.Limits().pairs

    @Option(help: "The maximum duration of the search in seconds.", transform: TextParser.count.parse)
    var seconds = 60

    var limits: Comparison.Limits {
        var limits = Comparison.Limits()
        limits.depth = depth
        limits.pairs = pairs
        limits.duration = .seconds(seconds)
        return limits
    }

    /// Shows in a line how far the search is that begins now.
    func progress(in line: ProgressLine) -> (ComparisonReport) -> Void {
        let start = ContinuousClock.now
        return { report in
            let pairs = report.pages.reduce(0) { $0 + $1.pairs }
            line.show(
                "\((.now - start).components.seconds) of \(seconds) s: \(report.steps) events, \(pairs) pairs of states"
            )
        }
    }
}
