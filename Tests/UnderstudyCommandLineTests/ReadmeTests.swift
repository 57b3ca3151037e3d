import Foundation
import HTTPTestClient
import Testing

/// The samples of the README print what the README shows.
@Suite(.timeLimit(.minutes(2))) struct ReadmeTests {
    /// The samples of those sections that need no more than a server of the demonstration, section by section.
    private static func sections() throws -> [[ConsoleSample]] {
        let root = (0..<3).reduce(URL(filePath: #filePath)) { url, _ in url.deletingLastPathComponent() }
        let text = try String(contentsOf: root.appending(path: "README.md"), encoding: .utf8)
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        var sections: [[ConsoleSample]] = []
        var isTyped = false
        var start: Int?
        for (index, line) in lines.enumerated() {
            if line.hasPrefix("## ") {
                isTyped = line == "## A session with curl" || line == "## From a bug report to a test"
                if isTyped { sections.append([]) }
            } else if line == "```console" {
                start = index + 1
            } else if line == "```", let first = start {
                if isTyped {
                    sections[sections.count - 1] += ConsoleSample.samples(in: lines[first..<index], from: first + 1)
                }
                start = nil
            }
        }
        return sections
    }

    @Test func `the samples of the README print what it shows`() async throws {
        let sections = try Self.sections()
        #expect(sections.map(\.count) == [30, 3])
        for section in sections {
            let workplace = try Workplace()
            try await withServer("--demo", "--record", workplace.folder.path + "/recordings") { _, port in
                let console = try Console(
                    port: port,
                    preamble: "understudy() { '\(Program.executable.path)' \"$@\"; }"
                )
                for sample in section {
                    #expect(try await console.type(sample) == sample.masked, "README.md:\(sample.line)")
                }
            }
        }
    }
}
