@testable import UnderstudyCommandLine

struct LastHourTests {
    let hour = LastHour()

    func samples(_ requests: Double, _ errors: Double = 0) -> [MetricSample] {
        [
            .counter("understudy_requests_total", requests - errors, ("status", "200")),
            .counter("understudy_requests_total", errors, ("status", "503")),
            .counter("understudy_request_duration_seconds_count", requests),
            .counter("understudy_request_duration_seconds_sum", requests / 100),
            .gauge("process_resident_memory_bytes", 2_097_152),
        ]
    }

    @Test func `a chart has the rate of each minute, the newest at the right end`() {
        hour.add(samples(0), at: 0)
        #expect(hour.lines(samples(10), at: 1).isEmpty)
        hour.add(samples(30), at: 60)
        #expect(
            hour.lines(samples(90, 30), at: 90).map { [$0.name, $0.last, $0.maximum, $0.points] } == [
                ["Requests per minute", "120.0", "120.0", "58,15.0 59,0.0"],
                ["5xx per minute", "60.0", "60.0", "58,20.0 59,0.0"],
                ["Mean latency", "10.0 ms", "10.0 ms", "58,0.0 59,0.0"],
                ["Memory", "2.0 MiB", "2.0 MiB", "58,0.0 59,0.0"],
            ]
        )
    }

    @Test func `the slowest pages are those of the last five minutes`() {
        func durations(_ login: Double, _ home: Double) -> [MetricSample] {
            [("login", login), ("home", home)].flatMap { page, count -> [MetricSample] in
                let seconds = page == "login" ? count : count / 10
                return [
                    .gauge("understudy_request_duration_seconds_count", count, ("page", page), ("event", "")),
                    .gauge("understudy_request_duration_seconds_sum", seconds, ("page", page), ("event", "")),
                ]
            }
        }
        func slowest(_ samples: [MetricSample]) -> [String] {
            let facts = Overview.Facts(health: (200, ""), samples: samples, now: 0)
            return Overview(facts: facts, earlierDurations: hour.earlierDurations).slowest
                .map { "\($0.page) \($0.requests) \($0.mean)" }
        }
        #expect(slowest(durations(2, 2)) == ["login 2 1000.0 ms", "home 2 100.0 ms"])
        for minute in 0...8 { hour.add(durations(Double(2 * minute), 2), at: Double(60 * minute)) }
        #expect(slowest(durations(20, 3)) == ["login 12 1000.0 ms", "home 1 100.0 ms"])
        for minute in 9...20 { hour.add(durations(20, 3), at: Double(60 * minute)) }
        #expect(slowest(durations(20, 4)) == ["home 1 100.0 ms"])
    }

    @Test func `a chart has an hour at most, and one value is a line`() throws {
        hour.add(samples(0), at: 0)
        #expect(hour.lines(samples(0), at: 60).map(\.points).first == "58,20.0 59,20.0")
        for minute in 1...100 { hour.add(samples(Double(minute)), at: Double(60 * minute)) }
        let points = try #require(hour.lines(samples(101), at: 6060).first?.points.split(separator: " "))
        #expect(points.count == 60 && points.first == "0,0.0" && points.last == "59,0.0")
    }
}
