@testable import UnderstudyCommandLine

@Suite(.fiveMinutes) struct LogWriterTests {
    let pipe = Pipe()

    func writer(buffers: Int = 1, capacity: Int = 1 << 20) -> LogWriter {
        LogWriter(
            pipe.fileHandleForWriting.fileDescriptor,
            style: LogStyle(format: .json),
            buffers: buffers,
            capacity: capacity
        )
    }

    func line(_ text: String) -> LogLines {
        var lines = LogLines(.json)
        lines.bytes.append("\(text)\n")
        return lines
    }

    /// Reads everything that has been or will be written, until the writing end is closed.
    func rest() throws -> [String] {
        try pipe.fileHandleForWriting.close()
        let data = try pipe.fileHandleForReading.readToEnd() ?? Data()
        return data.text.split(separator: "\n").map(String.init)
    }

    /// Fills the pipe, so that it accepts no more bytes.
    func stall() -> Int {
        let descriptor = pipe.fileHandleForWriting.fileDescriptor
        let flags = fcntl(descriptor, F_GETFL)
        defer { _ = fcntl(descriptor, F_SETFL, flags) }
        _ = fcntl(descriptor, F_SETFL, flags | O_NONBLOCK)
        var count = 0
        let page = [UInt8](repeating: UInt8(ascii: "\n"), count: 4096)
        while Glibc.write(descriptor, page, page.count) == page.count { count += page.count }
        return count
    }

    @Test func `the lines of all event loops are written whole, and those of each in order`() async throws {
        let writer = writer(buffers: 3)
        let loops = 4
        async let lines = Task.detached { [pipe] in
            var text = ""
            while let data = try pipe.fileHandleForReading.read(upToCount: 65536), !data.isEmpty { text += data.text }
            return text.split(separator: "\n").map(String.init)
        }.value
        await withTaskGroup { group in
            for loop in 0..<loops {
                group.addTask {
                    for number in 0..<2000 { writer.append(to: loop) { $0.bytes.append("\(loop) \(number)\n") } }
                }
            }
        }
        writer.close()
        try pipe.fileHandleForWriting.close()
        let written = try await lines
        #expect(written.count == loops * 2000)
        for loop in 0..<loops {
            #expect(written.filter { $0.hasPrefix("\(loop) ") } == (0..<2000).map { "\(loop) \($0)" })
        }
        #expect(writer.lost == 0)
    }

    @Test func `a line that is not of the access log has been written when the call returns`() throws {
        let writer = writer()
        writer.write(line("now"))
        var state = pollfd(fd: pipe.fileHandleForReading.fileDescriptor, events: Int16(POLLIN), revents: 0)
        #expect(poll(&state, 1, 0) == 1)
        writer.close()
        #expect(try rest() == ["now"])
    }

    @Test func `if the reader stalls, lines above the capacity are lost, and a warning counts them`() async throws {
        let writer = writer(capacity: 2000)
        let stalled = stall()
        // The thread may already have taken some of them to write, so that the buffer has room again.
        writer.write(line("error"))
        for number in 0..<1000 { writer.append(to: 0) { $0.bytes.append("line \(number)\n") } }
        let lost = writer.lost
        #expect((700..<1000).contains(lost))
        #expect(try pipe.fileHandleForReading.read(upToCount: stalled)?.count == stalled)
        writer.close()
        let lines = try rest()
        #expect(lines.first == "error")
        let warning = try #require(lines.last)
        #expect(warning.hasSuffix(",\"lines\":\(lost)}"))
        #expect(warning.contains("\"level\":\"warning\",\"logger\":\"understudy\",\"message\":\"Log lines were lost"))
        #expect(lines.count == 2 + 1000 - lost)
    }

    @Test func `a line that the pipe does not accept at once is written later, before lines that follow it`() throws {
        let writer = writer()
        let stalled = stall()
        for text in ["first", "second"] { writer.write(line(text)) }
        #expect(try pipe.fileHandleForReading.read(upToCount: stalled)?.count == stalled)
        writer.write(line("third"))
        writer.close()
        #expect(try rest() == ["first", "second", "third"])
    }

    @Test func `if the reader has ended, lines are lost and counted`() throws {
        signal(SIGPIPE, SIG_IGN)
        let writer = writer()
        try pipe.fileHandleForReading.close()
        writer.write(line("a"))
        for text in ["b", "c"] { writer.append(to: 0) { $0.bytes.append("\(text)\n") } }
        writer.close()
        #expect(writer.lost == 3)
    }

    @Test func `the last ten errors are kept as text with their date`() {
        let writer = writer()
        let logger = Logger(label: "test") { LineLogHandler(label: $0, writer: writer) }
        logger.warning("No error")
        for number in 1...12 { logger.error("Failed", metadata: ["number": "\(number)", "why": "a\nb"]) }
        writer.close()
        let lines = writer.errors
        #expect(lines.count == 10)
        #expect(
            lines[0].firstMatch(of: /^\d{4}-\d\d-\d\dT[0-9:.]+Z +ERROR +Failed number=3 why=/) != nil,
            "\(lines[0])"
        )
        #expect(lines.allSatisfy { !$0.contains("\n") })
    }
}
