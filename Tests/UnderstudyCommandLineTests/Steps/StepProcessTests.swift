import Foundation
import Glibc
import HTTPTestClient
import Testing

@testable import UnderstudyCommandLine

/// Programs that run steps in processes of their own.
@Suite(.timeLimit(.minutes(5))) struct StepProcessTests {
    private let workplace: Workplace
    private let control: StepControl

    init() throws {
        workplace = try Workplace()
        control = try StepControl()
    }

    /// Runs a script as a program, and then `body`, on a thread that may block.
    private func withProcess<Result: Sendable>(
        _ script: String,
        deadline: Duration = .seconds(60),
        memory: Int = 512 << 20,
        body: @escaping @Sendable (StepProcess) throws -> Result
    ) async throws -> Result {
        let path = try await workplace.program("other", script)
        return try await offPool { [control] in
            let process = StepProcess(
                path,
                deadline: deadline,
                memory: memory,
                isIsolated: true,
                control: control
            )
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
            return try lines.map { try process.respond(to: Array("\($0)\n".utf8)) }
        }
        #expect(answers.map { String(decoding: $0, as: UTF8.self) } == lines)
    }

    @Test(arguments: [
        ("exit 3", "it ended with status 3"),
        ("kill -ILL $$", "it ended with signal 4, with at most 512 MiB of memory"),
        ("exec >&-; exec sleep 1000", "it has closed its output"),
        ("echo hello", "its command 'step' does not print JSON"),
    ])
    func `a program that fails at its start is ended, with a reason`(script: String, reason: String) async throws {
        let error = await #expect(throws: StepFailure.self) {
            try await withProcess("read -r line; \(script)") { try $0.start() }
        }
        #expect(error == .ended(reason: reason))
    }

    @Test func `a program that ends at an event can be started again`() async throws {
        try await withProcess("read -r line; echo '{}'; read -r line; exit 3") { process in
            try process.start()
            #expect(throws: StepFailure.ended(reason: "it ended with status 3")) {
                try process.respond(to: Array("{}\n".utf8))
            }
            try process.start()
        }
    }

    @Test func `a program that does not respond in time is a timeout, and ends with its own processes`() async throws {
        let file = workplace.folder.appendingPathComponent("id").path
        let script = "read -r line; sleep 1000 & echo $! >'\(file)'; echo '{}'; sleep 1000"
        try await withProcess(script, deadline: .milliseconds(100)) { process in
            try process.start()
            #expect(throws: StepFailure.timeout) { try process.respond(to: Array("{}\n".utf8)) }
            process.stop()
        }
        let id = try #require(Int32(workplace.text("id").trimmingCharacters(in: .newlines)))
        #expect(try await eventually { !FileManager.default.fileExists(atPath: "/proc/\(id)") || isZombie(id) })
    }

    /// Whether the process has ended, and its parent has not noticed it yet.
    private func isZombie(_ id: Int32) -> Bool {
        (try? String(contentsOfFile: "/proc/\(id)/stat", encoding: .utf8))?.contains(") Z ") ?? true
    }

    @Test func `a stop from another thread ends the program, and no other one starts`() async throws {
        let failures = try await withProcess("read -r line; echo '{}'; sleep 1000") { [control] process in
            try process.start()
            control.stop()
            let first = #expect(throws: StepFailure.self) { _ = try process.respond(to: Array("{}\n".utf8)) }
            let second = #expect(throws: StepFailure.self) { try process.start() }
            return [first, second]
        }
        #expect(failures == [.stopped, .stopped])
    }

    @Test func `the program has a limit on its memory, and makes no core dump`() async throws {
        let script = #"read -r line; echo '{}'; read -r line; echo "$1 $(ulimit -v) $(ulimit -c)""#
        let answer = try await withProcess(script, memory: 256 << 20) { process in
            try process.start()
            return try process.respond(to: Array("{}\n".utf8))
        }
        #expect(String(decoding: answer, as: UTF8.self) == "step 262144 0")
    }

    @Test func `a program that exceeds its limit on memory ends, with a reason`() async throws {
        // Not by doubling one text, which uses less than half of the limit.
        let text = String(repeating: "a", count: 1 << 16)
        let script = """
            read -r line; echo '{}'; read -r line; text=\(text); text=$text$text$text$text; text=$text$text$text$text
            set --; while :; do set -- "$@" $text; done
            """
        let error = await #expect(throws: StepFailure.self) {
            try await withProcess(script, memory: 64 << 20) { process in
                try process.start()
                return try process.respond(to: Array("{}\n".utf8))
            }
        }
        #expect(error?.reason.hasPrefix("it ended with ") == true, "\(error?.reason ?? "")")
    }
}
