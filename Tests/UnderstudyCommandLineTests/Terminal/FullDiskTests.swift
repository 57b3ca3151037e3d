import Foundation
import Testing

/// What a command does if its output cannot be written.
@Suite(.timeLimit(.minutes(1))) struct FullDiskTests {
    @Test(arguments: [("/dev/full", 1), ("/dev/null", 0)] as [(String, Int32)])
    func `a command whose output is lost fails`(path: String, status: Int32) throws {
        let process = Process()
        process.executableURL = Program.executable
        process.arguments = ["graph", "register"]
        let output = try #require(FileHandle(forWritingAtPath: path))
        process.standardOutput = output
        let errors = Pipe()
        process.standardError = errors
        try process.run()
        let text = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        #expect(process.terminationStatus == status)
        #expect(text == (status == 0 ? "" : "error: The output cannot be written: No space left on device.\n"))
    }
}
