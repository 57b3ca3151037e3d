import Foundation
import TestSupport
import Understudy

@testable import UnderstudyCommandLine

@Suite(.timeLimit(.minutes(5))) struct CoverageCommandTests {
    private let workplace = Workplace()
    private let program = Application(title: "Registration", version: "1.0") { dependencies in
        Page.bundled(dependencies).filter { $0.name == "register" }
    }

    private static let header = #"{"recording":1,"understudy":"0.1.0","started":0,"redacted":false}"#

    private func recording(_ name: String, _ userID: String, _ commands: String) throws -> String {
        let line =
            #"{"page":"register","event":"textFieldDidEndEditing","values":{"userID":"\#(userID)"},"erased":[],"#
            + #""answers":[],"commands":[\#(commands)],"ok":true,"user":null}"#
        return try workplace.file(name, "\(Self.header)\n\(line)\n")
    }

    @Test func `without recordings, all outcomes are missing, with the number of events to each`() async throws {
        try await workplace.expect(
            """
            $ coverage
            register: 0 of 6 outcomes (0 %)
              missing: textFieldDidEndEditing, problem missingField userID, after 1 event
              missing: textFieldDidEndEditing, problem valueTooLong userID, after 1 event
              missing: textFieldDidEndEditing, problem wrongFieldType userID, after 1 event
              missing: textFieldDidEndEditing, render errorMessage registration.invalidUserID, after 1 event
              missing: textFieldDidEndEditing, render errorMessage registration.userIDTaken; the search does not reach it
              missing: textFieldDidEndEditing, render userID, after 1 event
            all pages: 0 of 6 outcomes (0 %)
            exit status 1
            $ coverage /no/such/folder
            error: '/no/such/folder' cannot be read: …
            exit status 66
            """,
            of: program
        )
    }

    @Test func `a search that is not complete in time ends with a note`() async throws {
        let program = Application(title: "All", version: "1.0") { Page.bundled($0) }
        let result = try await program.run("coverage --seconds 1")
        #expect(result.status == 1)
        #expect(result.errors == ["note: The search has ended after 1 s, and could reach more: raise --seconds."])
        #expect(result.output.last?.hasPrefix("all pages: 0 of ") == true)
    }

    @Test func `outcomes that a recording contains are not missing`() async throws {
        let id = #"{"command":"render","key":"userID","value":"012345678912"}"#
        let path = try recording("a.jsonl", "012345678912", id)
        let result = try await program.run("coverage", path)
        #expect(result.status == 1)
        #expect(result.output.first == "register: 1 of 6 outcomes (16 %)")
        #expect(!result.output.contains { $0.contains("render userID") })
    }

    @Test func `the report as JSON contains the shortest sequence to each missing outcome`() async throws {
        let result = try await program.run("coverage --json")
        #expect(result.output.count == 1)
        #expect(result.output[0].hasPrefix(#"{"covered":0,"outcomes":6,"pages":[{"page":"register","#))
        #expect(result.output[0].contains(#"{"event":"textFieldDidEndEditing","outcome":"render userID","events":[{"#))
        #expect(result.output[0].contains(#""values":{"userID":"012345 678912"}"#))
    }
}
