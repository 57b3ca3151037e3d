import Testing

@testable import UnderstudyCommandLine

@Suite(.timeLimit(.minutes(5))) struct GraphCommandTests {
    @Test func `an incomplete diagram is printed, with a hint on standard error`() async throws {
        let result = try await Application.bundled.run("graph", "signup", "--states", "2")
        #expect(result.status == 0)
        #expect(result.output.contains("stateDiagram-v2"))
        #expect(
            result.errors == [
                "The diagram ends at 2 states or 12 events in a row: raise --states or --depth to see more."
            ]
        )
    }

    @Test(arguments: [
        (
            ["nowhere"],
            "There is no page 'nowhere'. The pages are: login, home, register, signup, products, product, email."
        ),
        (
            ["login", "--event", "logout"],
            "The page has no event 'logout'. Its events are: loginButtonPressed, lockEnded."
        ),
        (["login", "--states", "0"], "The value '0' is invalid for '--states <states>'"),
        (["login", "--session-value", "step"], "'step' is not a value of the session such as 'step=2'."),
        (
            ["login", "--from", "x.jsonl", "--session-value", "step=2"],
            "Choose one of '--from' and '--session-value'."
        ),
        (["--ignore", "failures"], "'--ignore' needs a page: the navigation graph has no states."),
    ])
    func `an unknown page, an unknown event and an invalid limit are one line of error`(
        arguments: [String],
        reason: String
    ) async throws {
        let result = try await Application.bundled.run(["graph"] + arguments)
        result.expect(status: 64, output: [])
        #expect(result.errors.first?.contains(reason) == true, "\(result.errors)")
    }

    @Test(arguments: [
        (["--from", "/nowhere"], "The diagram cannot start from '/nowhere': the file cannot be read"),
        (["--from", "/dev/null"], "The diagram cannot start from '/dev/null': this is not a recording"),
    ])
    func `a file that cannot be read has the status of a missing input`(arguments: [String], reason: String)
        async throws
    {
        let result = try await Application.bundled.run(["graph", "login"] + arguments)
        #expect(result.status == 66)
        #expect(result.errors.first?.contains(reason) == true, "\(result.errors)")
    }

    @Test func `a diagram starts in the last state that steps have printed`() async throws {
        let workplace = try Workplace()
        let file = try workplace.file(
            "steps.jsonl",
            #"""
            {"state":{"values":{},"pages":[]}}
            {"state":{"values":{},"pages":[{"page":"login","version":1,"state":"{\"failures\":4}","recorder":{"rendered":{},"messages":[],"values":{}}}]}}

            """#
        )
        let result = try await Application.bundled.run("graph", "login", "--from", file, "--depth", "1")
        #expect(result.output.contains { $0.contains("failures=5") }, "\(result.errors)")
    }
}
