import Glibc
import Testing

@Suite(.timeLimit(.minutes(1))) struct PasswordPromptTests {
    private func program(_ workplace: Workplace, _ terminal: PseudoTerminal) throws -> Program {
        let arguments = ["account", "add", "--email", "bruce@example.com", "--name", "Bruce"]
        return try Program(arguments, environment: workplace.environment, terminal: terminal.terminal)
    }

    @Test func `on a terminal it is asked for twice and not shown`() async throws {
        let workplace = try Workplace()
        let terminal = try PseudoTerminal()
        let program = try program(workplace, terminal)
        defer { program.kill() }
        try await terminal.typeHidden(Workplace.password)
        #expect(await program.errors.next() == "Password: ")
        try await terminal.typeHidden(Workplace.password)
        let result = await program.result()
        #expect(result.status == 0)
        #expect(result.output == ["Added the account 'bruce@example.com'."])
        #expect(result.errors == ["Password: ", "Once more: "])
        #expect(terminal.shows)
    }

    @Test func `two different ones are refused`() async throws {
        let workplace = try Workplace()
        let terminal = try PseudoTerminal()
        let program = try program(workplace, terminal)
        defer { program.kill() }
        try await terminal.typeHidden(Workplace.password)
        #expect(await program.errors.next() == "Password: ")
        try await terminal.typeHidden(Workplace.password + "!")
        let result = await program.result()
        #expect(result.status == 1)
        #expect(result.errors.last == "error: The two passwords are different.")
    }

    @Test(arguments: [SIGINT, SIGTERM])
    func `a signal leaves a terminal that shows what is typed`(signal: Int32) async throws {
        let workplace = try Workplace()
        let terminal = try PseudoTerminal()
        let program = try program(workplace, terminal)
        defer { program.kill() }
        try await terminal.untilHidden()
        program.send(signal)
        let result = await program.result()
        #expect(result.signal == signal)
        #expect(terminal.shows)
    }

    @Test(arguments: [("", "There is no password on standard input."), ("\n", "the password is empty")])
    func `from standard input it has to be one`(input: String, error: String) async throws {
        let workplace = try Workplace()
        let arguments = ["account", "add", "--email", "bruce@example.com", "--name", "Bruce"]
        let program = try Program(arguments, environment: workplace.environment, input: input)
        defer { program.kill() }
        let result = await program.result()
        #expect(result.status == 1)
        #expect(result.errors == ["error: \(error)"])
    }
}
