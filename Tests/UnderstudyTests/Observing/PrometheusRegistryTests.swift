import CoreMetrics

struct PrometheusRegistryTests {
    let registry = PrometheusRegistry(help: ["requests_total": "Requests, by\npage."])

    @Test func `counters and gauges are in the text exposition format`() {
        Counter(label: "requests_total", dimensions: [("page", "login")], factory: registry).increment(by: 2)
        Counter(label: "requests_total", dimensions: [("page", "a\"b\\c\nd")], factory: registry).increment()
        Meter(label: "sessions", factory: registry).set(1.5)
        Gauge(label: "loops", factory: registry).record(2)
        #expect(
            registry.exposition() == """
                # TYPE loops gauge
                loops 2
                # HELP requests_total Requests, by\\npage.
                # TYPE requests_total counter
                requests_total{page="a\\"b\\\\c\\nd"} 1
                requests_total{page="login"} 2
                # TYPE sessions gauge
                sessions 1.5

                """
        )
    }

    @Test func `a timer is a histogram in seconds, whose buckets add up`() {
        let timer = Timer(label: "duration_seconds", dimensions: [("page", "login")], factory: registry)
        timer.recordNanoseconds(100_000)
        timer.recordNanoseconds(100_001)
        timer.recordMilliseconds(400)
        timer.recordSeconds(60)
        timer.recordNanoseconds(-1)
        let lines = registry.exposition().split(separator: "\n")
        #expect(lines.first == "# TYPE duration_seconds histogram")
        for (limit, count) in [("0.0001", 2), ("0.00025", 3), ("0.25", 3), ("0.5", 4), ("10", 4), ("+Inf", 5)] {
            #expect(lines.contains("duration_seconds_bucket{page=\"login\",le=\"\(limit)\"} \(count)"), "\(limit)")
        }
        for (kind, value) in [("sum", "60.400200001"), ("count", "5")] {
            #expect(lines.contains("duration_seconds_\(kind){page=\"login\"} \(value)"), "\(kind)")
        }
    }

    @Test func `the same name and labels are the same metric`() {
        let counter = Counter(label: "a", factory: registry)
        counter.increment()
        counter.destroy()
        Counter(label: "a", factory: registry).increment()
        #expect(registry.exposition() == "# TYPE a counter\na 2\n")
    }

    @Test func `invalid names are corrected, and a second kind of a name is left out`() {
        Counter(label: "a.b-c", factory: registry).increment()
        Counter(label: "1", factory: registry).increment()
        Meter(label: "a_b_c", factory: registry).set(9)
        #expect(registry.exposition() == "# TYPE _1 counter\n_1 1\n# TYPE a_b_c counter\na_b_c 1\n")
    }

    @Test func `no simultaneous change is lost`() async throws {
        try await concurrently(8) { [registry] index in
            for _ in 0..<1000 {
                Counter(label: "a", dimensions: [("b", "\(index % 2)")], factory: registry).increment()
                Meter(label: "c", factory: registry).increment(by: 0.5)
            }
        }
        #expect(registry.exposition() == "# TYPE a counter\na{b=\"0\"} 4000\na{b=\"1\"} 4000\n# TYPE c gauge\nc 4000\n")
    }

    @Test func `what a collector reads is among the metrics`() {
        registry.collect { [.counter("a_total", 1, ("b", "\"")), .gauge("c", -.infinity)] }
        Timer(label: "duration_seconds", factory: registry).recordSeconds(3)
        let start = "# TYPE a_total counter\na_total{b=\"\\\"\"} 1\n# TYPE c gauge\nc -Inf\n# TYPE duration"
        #expect(registry.exposition().hasPrefix(start))
        let samples = registry.samples().sorted { $0.name < $1.name }
        #expect(samples.map(\.name) == ["a_total", "c", "duration_seconds_count", "duration_seconds_sum"])
        #expect(samples.map(\.value) == [1, -.infinity, 1, 3])
        #expect(samples[0]["b"] == "\"")
    }
}
