import Foundation
import Testing

@testable import UnderstudyCommandLine

@Suite(.timeLimit(.minutes(2))) struct GraphCommandTests {
    private static let docs = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("docs")

    private static func text(_ name: String) throws -> String {
        try String(contentsOf: docs.appendingPathComponent(name), encoding: .utf8)
    }

    @Test func `the diagrams and pictures in the documentation are those that the command prints`() async throws {
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
        let result = try await Application.bundled.run(arguments)
        #expect(result.status == 0)
        #expect(result.errors == [])
        return result.output
    }

    @Test func `an incomplete diagram is printed, with a hint on standard error`() async throws {
        let result = try await Application.bundled.run("graph", "signup", "--states", "2", "--format", "dot")
        #expect(result.status == 0)
        #expect(result.output.first == "digraph \"signup\" {")
        #expect(
            result.errors == [
                "The diagram ends at 2 states or 12 events in a row: raise --states or --depth to see more."
            ]
        )
    }

    @Test(arguments: [
        (["nowhere"], "There is no page 'nowhere'. The pages are: login, register, signup, products, product, email."),
        (["login", "--event", "logout"], "The page has no event 'logout'. Its events are: loginButtonPressed."),
        (["login", "--states", "0"], "The value '0' is invalid for '--states <states>'"),
    ])
    func `an unknown page, an unknown event and an invalid limit are one line of error`(
        arguments: [String],
        reason: String
    ) async throws {
        let result = try await Application.bundled.run(["graph"] + arguments)
        #expect(result.status == 64)
        #expect(result.output == [])
        #expect(result.errors.first?.contains(reason) == true, "\(result.errors)")
    }
}
