import Foundation
import Testing

/// Who types what the README shows gets what it shows.
@Suite(.timeLimit(.minutes(2))) struct ReadmeTests {
    /// A command with its output.
    private struct Sample {
        let line: Int
        let command: String
        var output: [String] = []
    }

    /// The samples of those sections that need no more than a server of the demonstration, section by section.
    private static func sections() throws -> [[Sample]] {
        let root = (0..<3).reduce(URL(filePath: #filePath)) { url, _ in url.deletingLastPathComponent() }
        let text = try String(contentsOf: root.appending(path: "README.md"), encoding: .utf8)
        var sections: [[Sample]] = []
        var isTyped = false
        var isConsole = false
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            if line.hasPrefix("## ") {
                isTyped = line == "## A session with curl" || line == "## From a bug report to a test"
                if isTyped { sections.append([]) }
            } else if line.hasPrefix("```") {
                isConsole = line == "```console"
            } else if isTyped, isConsole, let section = sections.indices.last {
                if line.hasPrefix("$ ") {
                    sections[section].append(Sample(line: index + 1, command: String(line.dropFirst(2))))
                } else if let sample = sections[section].indices.last {
                    sections[section][sample].output.append(String(line))
                }
            }
        }
        return sections
    }

    @Test func `what the README shows comes out`() async throws {
        let sections = try Self.sections()
        #expect(sections.map(\.count) == [30, 3])
        for section in sections {
            let workplace = try Workplace()
            try await withServer("--demo", "--record", workplace.folder.path + "/recordings") { _, port in
                // What the README calls otherwise than it is called here.
                var names = ["localhost:8080": "localhost:\(port)"]
                for sample in section {
                    let command = names.reduce(sample.command) { $0.replacing($1.key, with: $1.value) }
                    let program = try Program(
                        [],
                        shell: #"understudy() { "$program" "$@"; }; program=$0; cd '\#(workplace.folder.path)'; "#
                            + command
                    )
                    defer { program.kill() }
                    let output = await program.result().output.map { $0.replacing("\r", with: "") }
                    if let shown = sample.output.token, let token = output.token { names[shown] = token }
                    #expect(output.masked == sample.output.masked, "README.md:\(sample.line)")
                }
            }
        }
    }
}

extension [String] {
    /// The session token that an answer has.
    fileprivate var token: String? {
        firstMatch(of: /"token":"([0-9a-f]{32})"/).map { String($0.1) }
    }

    private func firstMatch<Output>(of regex: Regex<Output>) -> Regex<Output>.Match? {
        for line in self { if let match = line.firstMatch(of: regex) { return match } }
        return nil
    }

    /// The lines without what is another one each time, and without empty ones at the end.
    fileprivate var masked: [String] {
        let lines = map { line in
            line.replacing(/"token":"[0-9a-f]{32}"/, with: "TOKEN")
                .replacing(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/, with: "TIME")
                .replacing(/^Date: .* GMT$/, with: "DATE")
                .replacing(/"requestID":"\w+"/, with: "ID")
                .replacing(/^X-Request-ID: \w+$/, with: "ID")
        }
        return Array(lines.reversed().drop { $0.isEmpty }.reversed())
    }
}
