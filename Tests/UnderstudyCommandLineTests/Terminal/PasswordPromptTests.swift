@Suite(.fiveMinutes) struct PasswordPromptTests {
    let workplace = Workplace()
    let terminal: PseudoTerminal
    let program: Program

    init() throws {
        terminal = try PseudoTerminal()
        program = try Program(
            ["account", "add", "--email", "bruce@example.com", "--name", "Bruce"],
            environment: workplace.environment,
            terminal: terminal.terminal
        )
    }

    func type(_ password: String, at prompt: String) async throws {
        #expect(await program.errors.nextPrompt() == prompt)
        #expect(!terminal.shows)
        try terminal.type(password)
    }

    @Test func `a terminal asks twice, and does not show the password`() async throws {
        defer { program.kill() }
        try await type(Workplace.password, at: "Password: ")
        try await type(Workplace.password, at: "Once more: ")
        let output = ["Added the account 'bruce@example.com'."]
        await program.result().expect(status: 0, output: output, errors: ["Password: ", "Once more: "])
        #expect(terminal.shows)
    }

    @Test func `two different passwords are an error`() async throws {
        defer { program.kill() }
        try await type(Workplace.password, at: "Password: ")
        try await type(Workplace.password + "!", at: "Once more: ")
        let error = "error: The two passwords are different; run the command again."
        await program.result().expect(status: 1, errors: ["Password: ", "Once more: ", error])
    }

    @Test(arguments: [SIGINT, SIGTERM])
    func `a signal restores the terminal`(signal: Int32) async throws {
        defer { program.kill() }
        #expect(await program.errors.nextPrompt() == "Password: ")
        #expect(!terminal.shows)
        #expect(await program.end(signal).signal == signal)
        #expect(terminal.shows)
    }
}
