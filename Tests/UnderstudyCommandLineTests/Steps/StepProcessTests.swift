import Foundation
import Glibc
import HTTPTestClient
import Testing

@testable import UnderstudyCommandLine

/// Programs that run steps in processes of their own.
@Suite(.timeLimit(.minutes(5))) struct StepProcessTests {
    private let workplace = Workplace()

    /// Runs a script as a program, and then `body`, on a thread that may block.
    private func withProcess<Result: Sendable>(
        _ script: String,
        deadline: Duration = .seconds(60),
        memory: Int = 512 << 20,
        body: @escaping @Sendable (StepProcess) throws -> Result
    ) async throws -> Result {
        let path = try await workplace.program("other", script)
        return try await offPool {
            let process = StepProcess(path, deadline: deadline, memory: memory)
            defer { process.stop() }
            return try body(process)
        }
    }

    /// A script that repeats each line.
    private static let echo = #"while read -r line; do printf '%s\n' "$line"; done"#

    @Test func `each line is answered by a line, however long it is`() async throws {
        let lines = ["{}", "{\(String(repeating: "a", count: 100_000))}", "{1}"]
        let answers = try await withProcess(Self.echo) { process in
            try process.start()
            return try lines.map { try process.respond(to: $0) }
        }
        #expect(answers.map { String(decoding: $0, as: UTF8.self) } == lines)
    }

    @Test(arguments: [
        ("exit 3", "it ended with status 3"),
        ("kill -ILL $$", "it ended with signal 4, with at most 512 MiB of memory"),
        ("exec >&-; exec sleep 1000", "it has closed its output"),
    ])
    func `a program that fails at an event is ended, with a reason, and can be started again`(
        script: String,
        reason: String
    ) async throws {
        try await withProcess("read -r line; echo '{}'; read -r line; \(script)") { process in
            for _ in 0..<2 {
                try process.start()
                #expect(try process.respond(to: "{}") == Array("{}".utf8))
                #expect(throws: StepFailure.ended(reason: reason)) { try process.respond(to: "{}") }
            }
        }
    }

    @Test func `a program that does not respond in time is a timeout, and ends with its own processes`() async throws {
        let file = workplace.folder.appendingPathComponent("id").path
        let script = "read -r line; sleep 1000 & echo $! >'\(file)'; sleep 1000"
        try await withProcess(script, deadline: .seconds(1)) { process in
            try process.start()
            #expect(throws: StepFailure.timeout) { try process.respond(to: "{}") }
            process.stop()
        }
        let id = try #require(Int32(workplace.text("id").trimmingCharacters(in: .newlines)))
        #expect(try await eventually { !FileManager.default.fileExists(atPath: "/proc/\(id)") || isZombie(id) })
    }

    /// Whether the process has ended, and its parent has not noticed it yet.
    private func isZombie(_ id: Int32) -> Bool {
        (try? String(contentsOfFile: "/proc/\(id)/stat", encoding: .utf8))?.contains(") Z ") ?? true
    }

    @Test func `the program has a limit on its memory, and makes no core dump`() async throws {
        let script = #"read -r line; echo "$1 $(ulimit -v) $(ulimit -c)""#
        let answer = try await withProcess(script, memory: 256 << 20) { process in
            try process.start()
            return try process.respond(to: "{}")
        }
        #expect(String(decoding: answer, as: UTF8.self) == "step 262144 0")
    }

    @Test func `a program that exceeds its limit on memory ends, with a reason`() async throws {
        // Not by doubling one text, which uses less than half of the limit.
        let text = String(repeating: "a", count: 1 << 16)
        let script = """
            read -r line; text=\(text); text=$text$text$text$text; text=$text$text$text$text
            set --; while :; do set -- "$@" $text; done
            """
        let error = await #expect(throws: StepFailure.self) {
            try await withProcess(script, memory: 64 << 20) { process in
                try process.start()
                return try process.respond(to: "{}")
            }
        }
        #expect(error?.reason.hasPrefix("it ended with ") == true, "\(error?.reason ?? "")")
    }
}

extension StepProcess {
    /// Sends a line, and returns the line of the response, both without their ends.
    fileprivate func respond(to line: String) throws(StepFailure) -> [UInt8] {
        try send(Array("\(line)\n".utf8))
        return try receive()
    }
}
