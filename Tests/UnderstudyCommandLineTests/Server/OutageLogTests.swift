import HTTPMessages
@testable import UnderstudyCommandLine

struct OutageLogTests {
    let capture = LogCapture()
    let start = ContinuousClock.now

    @Test func `of failed requests, ten a minute are logged, and the next minute says how many were not`() async {
        let log = OutageLog(capture.logger)
        let error = CollaboratorError.outage()
        await RequestTrace.bind { _ in
            for _ in 0..<1_000 { log.record(error, at: start) }
            log.record(error, at: start + .seconds(59))
            #expect(capture.lines.count == 10)
            log.record(error, at: start + .seconds(60))
            log.record(error, at: start + .seconds(61))
        }
        #expect(capture.lines.map { $0.metadata["skipped"] } == Array(repeating: nil, count: 10) + ["991", nil])
    }

    @Test func `failures of other work take no line from requests, and have one a minute`() async {
        let log = OutageLog(capture.logger)
        let error = CollaboratorError.outage()
        for second in 0..<59 { log.record(error, at: start + .seconds(second)) }
        #expect(capture.lines.count == 1)
        await RequestTrace.bind { _ in log.record(error, at: start + .seconds(59)) }
        log.record(error, at: start + .seconds(60))
        #expect(capture.lines.map { $0.metadata["skipped"] } == [nil, nil, "58"])
    }
}
