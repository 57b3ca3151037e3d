import Foundation
import Testing
import Understudy

@testable import UnderstudyCommandLine

@Suite(.timeLimit(.minutes(5))) struct CoverageCommandTests {
    private let workplace: Workplace
    private let program: Application

    init() throws {
        workplace = try Workplace()
        program = Application(title: "Registration", version: "1.0", pagesInTests: .bundled) { dependencies in
            Page.bundled(dependencies).filter { $0.name == "register" }
        }
    }

    private static let header = #"{"recording":3,"understudy":"0.1.0","started":0,"redacted":false}"#

    private func recording(_ name: String, _ userID: String, _ commands: String) throws -> String {
        let line =
            #"{"page":"register","event":"textFieldDidEndEditing","values":{"userID":"\#(userID)"},"erased":[],"#
            + #""answers":[],"commands":[\#(commands)],"ok":true,"user":null}"#
        return try workplace.file(name, "\(Self.header)\n\(line)\n")
    }

    @Test func `without recordings, all outcomes are missing, with the number of events that lead to them`()
        async throws
    {
        let result = try await program.run("coverage")
        #expect(result.status == 1)
        #expect(
            result.output == [
                "register: 0 of 6 outcomes (0 %)",
                "  missing: textFieldDidEndEditing, problem missingField userID, after 1 event",
                "  missing: textFieldDidEndEditing, problem valueTooLong userID, after 1 event",
                "  missing: textFieldDidEndEditing, problem wrongFieldType userID, after 1 event",
                "  missing: textFieldDidEndEditing, render errorMessage registration.invalidUserID, after 1 event",
                "  missing: textFieldDidEndEditing, render errorMessage registration.userIDTaken; the search does not reach it",
                "  missing: textFieldDidEndEditing, render userID, after 1 event",
                "all pages: 0 of 6 outcomes (0 %)",
            ]
        )
    }

    @Test func `outcomes that a recording contains are not missing`() async throws {
        let id = #"{"command":"render","key":"userID","value":"012345678912"}"#
        let path = try recording("a.jsonl", "012345678912", id)
        let result = try await program.run("coverage", path)
        #expect(result.status == 1)
        #expect(result.output.first == "register: 1 of 6 outcomes (16 %)")
        #expect(!result.output.contains { $0.contains("render userID") })
    }

    @Test func `the missing tests are written, one for each sequence`() async throws {
        let result = try await program.run("coverage", "--emit-test")
        let text = result.output.joined(separator: "\n")
        #expect(
            text.contains(
                "func `the session register textFieldDidEndEditing render errorMessage registration invalidUserID goes as it was recorded`()"
            )
        )
        #expect(text.components(separatedBy: "@Test").count == 3)
    }

    @Test func `the report is an HTML page, and the share a picture`() async throws {
        let (html, badge) = (workplace.folder.path + "/coverage.html", workplace.folder.path + "/coverage.svg")
        let result = try await program.run("coverage", "--html", html, "--badge", badge, "--json")
        #expect(result.output.first?.hasPrefix(#"{"covered":0,"outcomes":6,"pages":[{"page":"register","#) == true)
        let page = try String(contentsOfFile: html, encoding: .utf8)
        #expect(page.contains("<h1>Coverage of Registration</h1>"))
        #expect(page.contains("<summary>textFieldDidEndEditing: render userID, after 1 event</summary>"))
        #expect(page.contains("register textFieldDidEndEditing {&quot;userID&quot;:&quot;012345 678912&quot;}"))
        #expect(try String(contentsOfFile: badge, encoding: .utf8).contains("outcomes: 0 %"))
    }

    @Test func `a path that does not exist is an error`() async throws {
        let result = try await program.run("coverage", "/no/such/folder")
        #expect(result.status == 66)
    }
}
