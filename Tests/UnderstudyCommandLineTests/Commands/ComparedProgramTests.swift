@testable import UnderstudyCommandLine

/// Programs that run steps in processes of their own.
@Suite(.fiveMinutes) struct ComparedProgramTests {
    let workplace = Workplace()

    func program(
        _ script: String,
        deadline: Duration = .seconds(60),
        memory: Int = 512 << 20
    ) async throws -> ComparedProgram {
        try ComparedProgram(try await workplace.program("other", script), deadline: deadline, memory: memory)
    }

    @Test func `each line is answered by a line, however long it is`() async throws {
        let program = try await program(#"while read -r line; do printf '%s\n' "$line"; done"#)
        for text in ["", "a".repeated(100_000), "b"] {
            #expect(try await program.send(["text": .string(text)])() == ["text": .string(text)])
        }
    }

    @Test(arguments: [
        ("exit 3", "it ended with status 3"),
        ("kill -ILL $$", "it ended with signal 4, with at most 512 MiB of memory"),
        ("exec >&-; exec sleep 1000", "it has closed its output"),
    ])
    func `a program that fails at an event ends, and starts again`(script: String, reason: String) async throws {
        let program = try await program("read -r line; echo '{}'; read -r line; \(script)")
        for _ in 0..<2 {
            #expect(try await program.send([:])() == [:])
            #expect(try await program.send([:])() == ["stopped": .string(reason)])
        }
    }

    @Test func `a program that does not respond in time is an error, and ends with its own processes`() async throws {
        let script = "read -r line; sleep 1000 & echo $! >'\(workplace.path("id"))'; sleep 1000"
        let program = try await program(script, deadline: .seconds(1))
        let receive = try program.send(["page": "register", "event": "shown"])
        let error = await #expect(throws: CommandError.self) { try await receive() }
        #expect(error?.status == 70)
        let reason = "has not responded within 1 s to the event 'shown' of the page 'register'."
        #expect(error?.description.hasSuffix(reason) == true, "\(error?.description ?? "")")
        let id = try #require(Int32(workplace.text("id").trimmingCharacters(in: .newlines)))
        #expect(try await eventually { !Files.exists("/proc/\(id)") || isZombie(id) })
    }

    /// Whether the process has ended, and its parent has not noticed it yet.
    func isZombie(_ id: Int32) -> Bool {
        (try? String(contentsOfFile: "/proc/\(id)/stat", encoding: .utf8))?.contains(") Z ") ?? true
    }

    @Test func `the program has a limit on its memory, and makes no core dump`() async throws {
        let script = #"read -r line; echo "[\"$1\", $(ulimit -v), $(ulimit -c)]" | sed 's/.*/{"limits":&}/'"#
        let program = try await program(script, memory: 256 << 20)
        #expect(try await program.send([:])() == ["limits": ["step", 262_144, 0]])
    }
}
