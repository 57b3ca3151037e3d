@testable import UnderstudyCommandLine

struct OutageLogTests {
    let capture = LogCapture()
    let start = ContinuousClock.now

    @Test func `of many failures, ten a minute are logged, and the next minute begins with the number of the others`() {
        let log = OutageLog(capture.logger)
        let error = CollaboratorError.outage()
        for _ in 0..<1_000 { log.record(error, at: start) }
        log.record(error, at: start + .seconds(59))
        #expect(capture.lines.count == 10)
        log.record(error, at: start + .seconds(60))
        log.record(error, at: start + .seconds(61))
        #expect(capture.lines.map { $0.metadata["skipped"] } == Array(repeating: nil, count: 10) + ["991", nil])
    }
}
