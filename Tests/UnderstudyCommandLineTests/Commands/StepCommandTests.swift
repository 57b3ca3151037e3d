import UnderstudyCommandLine

@Suite(.fiveMinutes) struct StepCommandTests {
    @Test func `each line of standard input gives a line, and the next one can continue with its state`() async throws {
        let input = #"{"page":"register","values":{"userID":"012345 678912"}}"#
        let first = try await Program.run(["step"], input: input)
        first.expect(status: 0, errors: [])
        #expect(first.output.count == 1)
        let line = try #require(first.output.first)
        #expect(line.hasPrefix(#"{"state":{"pages":[{"page":"register","#))
        #expect(line.contains(#""commands":[{"command":"render","key":"userID","value":"012345678912"},"#))
        #expect(line.hasSuffix(#""calls":[],"updates":[]}"#))
        let state = try #require(line.split(separator: #","outline":"#).first?.dropFirst(#"{"state":"#.count))
        let both = try await Program.run(["step"], input: #"{"state":\#(state),"page":"home"}\#n"# + input + "\n")
        #expect(both.status == 0)
        #expect(both.output.count == 2)
        #expect(both.output.first?.contains(#"{"command":"goToPage","name":"login","href":"/login"}"#) == true)
        #expect(both.output.last == line)
    }

    @Test func `a line that is no step is an error in its place, and the next lines are steps`() async throws {
        let result = try await Program.run(
            ["step"],
            input: "hello\n" + #"{"describe":true,"clok":1}"# + "\n" + #"{"page":"home"}"# + "\n"
        )
        result.expect(status: 1, errors: [])
        #expect(result.output.count == 3)
        #expect(result.output[1] == #"{"error":"The member 'clok' is not one of: 'describe', 'clock'."}"#)
        #expect(result.output.first?.hasPrefix(#"{"error":"The line is not JSON: at byte 0, "#) == true)
        #expect(result.output.last?.hasPrefix(#"{"state":"#) == true)
    }
}
