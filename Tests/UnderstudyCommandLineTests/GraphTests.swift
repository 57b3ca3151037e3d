import Foundation
import Testing

@Suite(.timeLimit(.minutes(2))) struct GraphTests {
    private static let docs = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appendingPathComponent("docs")

    private static func text(_ name: String) throws -> String {
        try String(contentsOf: docs.appendingPathComponent(name), encoding: .utf8)
    }

    @Test func `the diagrams and pictures in the documentation are what the program prints`() async throws {
        let sections = try Self.text("graphs.md").components(separatedBy: "\n## ").dropFirst()
        #expect(sections.count == 7)
        for section in sections {
            let lines = section.components(separatedBy: "\n")
            let command = try #require(lines.first { $0.hasPrefix("    understudy graph ") })
            let arguments = command.split(separator: " ").dropFirst().map(String.init)
            let diagram = lines.drop { $0 != "```mermaid" }.dropFirst().prefix { $0 != "```" }
            #expect(Array(diagram) == (try await print(arguments)), "\(command)")
            let picture = try #require(section.firstMatch(of: /\(graphs\/([a-z-]+\.svg)\)/)).1
            let svg = try Self.text("graphs/\(picture)").split(separator: "\n").map(String.init)
            #expect(svg == (try await print(arguments + ["--format", "svg"])), "\(picture)")
        }
    }

    private func print(_ arguments: [String]) async throws -> [String] {
        let program = try Program(arguments)
        defer { program.kill() }
        let result = await program.result()
        #expect(result.status == 0)
        #expect(result.errors == [])
        return result.output
    }

    @Test func `a graph that was cut is printed, and standard error says so`() async throws {
        let result = try await Program.run("graph", "signup", "--states", "2", "--format", "dot")
        #expect(result.status == 0)
        #expect(result.output.first == "digraph \"signup\" {")
        #expect(result.errors == ["There is more past 2 states or 12 events: see --states and --depth."])
    }

    @Test(arguments: [
        (["nowhere"], "There is no page 'nowhere': login, register, signup, products, product, email."),
        (["login", "--event", "logout"], "The page has no event 'logout': loginButtonPressed."),
        (["login", "--states", "0"], "The value '0' is invalid for '--states <states>'"),
    ])
    func `what cannot be drawn is one line of error`(arguments: [String], reason: String) async throws {
        let program = try Program(["graph"] + arguments)
        defer { program.kill() }
        let result = await program.result()
        #expect(result.status == 64)
        #expect(result.output == [])
        #expect(result.errors.first?.contains(reason) == true, "\(result.errors)")
    }
}
