/// What a command does if its output cannot be written.
@Suite(.fiveMinutes) struct FullDiskTests {
    @Test(arguments: [("/dev/full", 1), ("/dev/null", 0)] as [(String, Int32)])
    func `a command whose output is lost fails`(path: String, status: Int32) async throws {
        let result = try await Program.run(["graph"], shell: #"exec "$0" "$@" >\#(path)"#)
        let error = "error: The output cannot be written: No space left on device."
        result.expect(status: status, output: [], errors: status == 0 ? [] : [error])
    }

    @Test(arguments: [">/dev/full", ">&-"])
    func `a server whose output is lost serves, and its log says so`(redirection: String) async throws {
        let arguments = ["serve", "--demo", "--port", "0", "--log-format", "json"]
        let program = try Program(arguments, shell: #"exec "$0" "$@" \#(redirection)"#)
        defer { program.kill() }
        _ = try #require(await program.errors.next(containing: "The address cannot be written to standard output"))
        #expect(await program.end(SIGTERM).expect(status: 0).errors.allSatisfy { $0.hasPrefix("{") })
    }
}
