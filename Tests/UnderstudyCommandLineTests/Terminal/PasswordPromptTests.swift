import Glibc
import Testing

@Suite(.timeLimit(.minutes(5))) struct PasswordPromptTests {
    private func program(_ workplace: Workplace, _ terminal: PseudoTerminal) throws -> Program {
        let arguments = ["account", "add", "--email", "bruce@example.com", "--name", "Bruce"]
        return try Program(arguments, environment: workplace.environment, terminal: terminal.terminal)
    }

    private func type(
        _ password: String,
        on terminal: PseudoTerminal,
        at prompt: String,
        of program: Program
    ) async throws {
        #expect(await program.errors.nextPrompt() == prompt)
        #expect(!terminal.shows)
        try terminal.type(password)
    }

    @Test func `a terminal asks twice, and does not show the password`() async throws {
        let workplace = try Workplace()
        let terminal = try PseudoTerminal()
        let program = try program(workplace, terminal)
        defer { program.kill() }
        try await type(Workplace.password, on: terminal, at: "Password: ", of: program)
        try await type(Workplace.password, on: terminal, at: "Once more: ", of: program)
        let result = await program.result()
        #expect(result.status == 0)
        #expect(result.output == ["Added the account 'bruce@example.com'."])
        #expect(result.errors == ["Password: ", "Once more: "])
        #expect(terminal.shows)
    }

    @Test func `two different passwords are an error`() async throws {
        let workplace = try Workplace()
        let terminal = try PseudoTerminal()
        let program = try program(workplace, terminal)
        defer { program.kill() }
        try await type(Workplace.password, on: terminal, at: "Password: ", of: program)
        try await type(Workplace.password + "!", on: terminal, at: "Once more: ", of: program)
        let result = await program.result()
        #expect(result.status == 1)
        #expect(result.errors.last == "error: The two passwords are different; run the command again.")
    }

    @Test(arguments: [SIGINT, SIGTERM])
    func `a signal restores the terminal`(signal: Int32) async throws {
        let workplace = try Workplace()
        let terminal = try PseudoTerminal()
        let program = try program(workplace, terminal)
        defer { program.kill() }
        #expect(await program.errors.nextPrompt() == "Password: ")
        #expect(!terminal.shows)
        program.send(signal)
        let result = await program.result()
        #expect(result.signal == signal)
        #expect(terminal.shows)
    }

    @Test(arguments: [("", "Standard input contains no password."), ("\n", "the password is empty")])
    func `an empty standard input or line is an error`(input: String, error: String) async throws {
        let workplace = try Workplace()
        let arguments = ["account", "add", "--email", "bruce@example.com", "--name", "Bruce"]
        let result = try await Program.run(arguments, environment: workplace.environment, input: input)
        result.expect(status: 1, errors: ["error: \(error)"])
    }
}
