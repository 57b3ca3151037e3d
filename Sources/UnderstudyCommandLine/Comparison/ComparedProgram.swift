import BusinessLogic
import FoundationEssentials
import UnderstudyReplay

/// One of the two versions of a comparison, as a process.
final class ComparedProgram: SteppedProgram {
    /// How long a step may take.
    static let deadline = Duration.seconds(30)
    /// The maximum size of the address space in bytes: 2 GiB.
    static let memory = 2 << 30

    /// The path, as a person has given it.
    private let path: String
    private let deadline: Duration
    private let process: StepProcess

    /// - Throws: ``CommandError`` with the status of `EX_NOINPUT` in sysexits.h if the file is no program.
    init(
        _ path: String,
        deadline: Duration = ComparedProgram.deadline,
        memory: Int = ComparedProgram.memory
    ) throws(CommandError) {
        var isFolder = false
        _ = FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
        guard !isFolder, FileManager.default.isExecutableFile(atPath: path) else {
            throw CommandError("'\(path)' is not an executable file.", status: 66)
        }
        self.path = path
        self.deadline = deadline
        process = StepProcess(URL(fileURLWithPath: path).path, deadline: deadline, memory: memory)
    }

    func send(_ request: Value.Object) throws -> () async throws -> Value.Object {
        if !process.isRunning { try start() }
        let sent = Result { () throws(StepFailure) in try process.send(Value.object(request).json) }
        return { try self.result(of: request, sent) }
    }

    private func result(of request: Value.Object, _ sent: Result<Void, StepFailure>) throws -> Value.Object {
        let line: [UInt8]
        do throws(StepFailure) {
            try sent.get()
            line = try process.receive()
        } catch {
            restart()
            if error == .timeout { throw timeout(of: request) }
            return ["stopped": .string(error.reason)]
        }
        guard let members = try? JSONReader.read(line).object else {
            throw CommandError("'\(path) step' prints a line that is not a JSON object.", status: 70)
        }
        return members
    }

    func restart() {
        process.stop()
    }

    private func start() throws(CommandError) {
        do throws(StepFailure) {
            try process.start()
        } catch {
            throw CommandError("'\(path)' cannot be started: \(error.reason).", status: 66)
        }
    }

    private func timeout(of request: Value.Object) -> CommandError {
        var event = ""
        if let page = request["page"]?.string, let name = request["event"]?.string {
            event = " to the event '\(name.printable)' of the page '\(page.printable)'"
        }
        return CommandError("'\(path) step' has not responded within \(deadline.text)\(event).", status: 70)
    }
}
