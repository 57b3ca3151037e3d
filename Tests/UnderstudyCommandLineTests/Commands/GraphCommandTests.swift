import Testing

@testable import UnderstudyCommandLine

@Suite(.timeLimit(.minutes(5))) struct GraphCommandTests {
    @Test func `an incomplete diagram is printed, with a hint on standard error`() async throws {
        let result = try await Application.bundled.run("graph", "signup", "--states", "2", "--format", "svg")
        #expect(result.status == 0)
        #expect(result.output.contains("<title>The page signup</title>"))
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
        (["login", "--format", "dot"], "Please provide one of 'mermaid' and 'svg'."),
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
