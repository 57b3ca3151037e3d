@Suite(.fiveMinutes) struct StepCommandTests {
    @Test func `each line of standard input gives a line, and the next one can continue with its state`() async throws {
        let input = #"{"page":"register","values":{"userID":"012345 678912"}}"#
        let first = try await Program.run(["step"], input: input)
        let commands = #""commands":[{"command":"render","key":"userID","value":"012345678912"},"#
        let step = #"{"state":{"pages":[{"page":"register",…\#(commands)…"calls":[],"updates":[]}"#
        first.expect(status: 0, output: [step], errors: [])
        let line = try #require(first.output.first)
        let state = try #require(line.split(separator: #","outline":"#).first?.dropFirst(#"{"state":"#.count))
        let both = try await Program.run(["step"], input: #"{"state":\#(state),"page":"home"}\#n"# + input + "\n")
        both.expect(status: 0, output: [#"…{"command":"goToPage","name":"login","href":"/login"}…"#, line])
    }

    @Test func `a line that is no step is an error in its place, and the next lines are steps`() async throws {
        let result = try await Program.run(
            ["step"],
            input: "hello\n" + #"{"describe":true,"clok":1}"# + "\n" + #"{"page":"home"}"# + "\n"
        )
        let lines = [
            #"{"error":"The line is not JSON: at byte 0, …"#,
            #"{"error":"The member 'clok' is not one of: 'describe', 'clock'."}"#, #"{"state":…"#,
        ]
        result.expect(status: 1, output: lines, errors: [])
    }
}
