/// A page in docs/tasks, whose commands a test runs on machines in the page's order.
final class TaskPage {
    /// A command with its output, under a heading of the page.
    struct Step {
        let heading: String
        let sample: ConsoleSample
    }

    let name: String
    let steps: [Step]
    /// The code that is not in a block of the language `console`.
    let otherCode: [String]
    /// Code within sentences.
    let inlineCode: [String]
    /// The number of steps that have run in the order of the page.
    var position = 0

    /// The folder of the pages.
    static let folder = Checkout.root.appending(path: "docs/tasks")

    init(_ name: String) throws {
        self.name = name
        let text = try String(contentsOf: Self.folder.appending(path: name + ".md"), encoding: .utf8)
        var (steps, otherCode): ([Step], [String]) = ([], [])
        var (heading, prose) = ("", "")
        var block: (first: Int, lines: [String])?
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init).enumerated()
        {
            if let open = block {
                if line == "```" {
                    let samples = ConsoleSample.samples(in: open.lines, from: open.first)
                    steps += samples.map { Step(heading: heading, sample: $0) }
                    if open.lines.first?.hasPrefix("$ ") != true { otherCode += open.lines }
                    block = nil
                } else {
                    block?.lines.append(line)
                }
            } else if line == "```console" {
                block = (index + 2, [])
            } else if line.hasPrefix("```") || line.hasPrefix("    ") || line.hasPrefix("\t") {
                otherCode.append(line)
            } else {
                if line.hasPrefix("#") { heading = line.drop { $0 == "#" }.trimmingCharacters(in: .whitespaces) }
                prose += line + "\n"
            }
        }
        self.steps = steps
        self.otherCode = otherCode
        inlineCode = prose.matches(of: /`([^`]+)`/).map { String($0.1) }
    }

    /// Runs the commands under the next heading on each of the machines in turn, and expects that each succeeds and prints what the page shows.
    func run(_ heading: String, on machines: TaskMachine...) async throws {
        let section = steps[position...].prefix { $0.heading == heading }
        #expect(!section.isEmpty, "\(name).md: the next commands are not under '\(heading)'")
        for machine in machines {
            for step in section { try await machine.run(step.sample, of: name) }
        }
        position += section.count
    }

    /// Expects that all commands of the page have run, including those within sentences.
    func expectEnd() {
        for step in steps[position...] {
            Issue.record("\(name).md:\(step.sample.line) does not run: \(step.sample.command)")
        }
        #expect(otherCode == [], "\(name).md: the test runs only blocks of the language 'console'")
        let commands = steps.map(\.sample.command)
        let programs = Set(commands.flatMap { $0.split(separator: " ") })
        for code in inlineCode where code.contains(" ") && programs.contains(code.prefix { $0 != " " }) {
            #expect(commands.contains { $0.contains(code) }, "\(name).md: '\(code)' does not run")
        }
    }
}
