extension Workplace {
    /// Runs the commands of a transcript, and expects what it shows below each of them: the lines of the output and those of the errors,
    /// in which `…` means any text. A line `exit status 64` states the status. Without one, it is 0, or 1 if there is a line of error.
    ///
    /// Commands are behind `$ `.
    func expect(
        _ transcript: String,
        of program: Application = .bundled,
        input: String = "",
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        for sample in ConsoleSample.samples(in: transcript.components(separatedBy: "\n")) {
            let result = try await program.run(sample.command.words, environment: environment, input: input)
            let statuses = sample.output.compactMap { $0.wholeMatch(of: /exit status (\d+)/).flatMap { Int32($0.1) } }
            let shown = Array(sample.output.dropLast(statuses.count))
            let lines = (result.output + result.errors).shown(as: shown)
            #expect(lines == shown, "\(sample.command)", sourceLocation: sourceLocation)
            let hasFailed = shown.contains { $0.hasPrefix("error: ") }
            let status = statuses.first ?? (hasFailed ? 1 : 0)
            #expect(result.status == status, "\(sample.command): \(result.errors)", sourceLocation: sourceLocation)
        }
    }
}

extension Sequence<String> {
    /// The lines as one text.
    var text: String { joined(separator: "\n") }
}

extension [String] {
    /// The lines, of which those that match their pattern are replaced by it. In a pattern, `…` means any text.
    func shown(as patterns: [String]) -> [String] {
        enumerated().map { index, line in
            index < patterns.count && line.isShown(as: patterns[index]) ? patterns[index] : line
        }
    }
}

extension String {
    /// The words of a command line. One in single quotes can be empty and contain spaces.
    var words: [String] {
        components(separatedBy: "'").enumerated().flatMap { index, part in
            index % 2 == 1 ? [part] : part.split(separator: " ").map(String.init)
        }
    }

    /// Whether a transcript shows the line so.
    fileprivate func isShown(as pattern: String) -> Bool {
        let parts = pattern.components(separatedBy: "…").map { $0.isEmpty ? "" : "\\Q\($0)\\E" }
        return (try? Regex(parts.joined(separator: ".*"))).map { wholeMatch(of: $0) != nil } ?? false
    }
}
