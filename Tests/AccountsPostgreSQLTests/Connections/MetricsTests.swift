import CoreMetrics
import AccountsPostgreSQL
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(5)))
struct MetricsTests {
    @Test func `statements are timed, errors counted and connections measured`() async throws {
        let recorder = MetricsRecorder()
        try await withPool(factory: recorder) { pool in
            try await pool.execute(.sql("SELECT 1", name: "one"))
            _ = try await failure { try await pool.execute(.sql("SELECT 1/0")) }
            try await wait { pool.statistics.idle == 1 }
            #expect(pool.statistics.inUse == 0)
            #expect(pool.statistics.waiting == 0)
        }
        #expect(recorder.count("understudy_database_statement_duration_seconds statement=one") == 1)
        #expect(recorder.count("understudy_database_errors_total kind=server") == 1)
    }
}

/// Stores how often each metric was recorded.
final class MetricsRecorder: MetricsFactory {
    private let records = Mutex<[String: Int]>([:])

    func count(_ metric: String) -> Int { records.withLock { $0[metric] ?? 0 } }

    fileprivate func record(_ metric: String) { records.withLock { $0[metric, default: 0] += 1 } }

    private func handler(_ label: String, _ dimensions: [(String, String)]) -> Handler {
        Handler(recorder: self, metric: ([label] + dimensions.map { "\($0)=\($1)" }).joined(separator: " "))
    }

    func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler { handler(label, dimensions) }
    func makeMeter(label: String, dimensions: [(String, String)]) -> any MeterHandler { handler(label, dimensions) }
    func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler { handler(label, dimensions) }

    func makeRecorder(label: String, dimensions: [(String, String)], aggregate: Bool) -> any RecorderHandler {
        NOOPMetricsHandler.instance
    }

    func destroyCounter(_ handler: any CounterHandler) {}
    func destroyMeter(_ handler: any MeterHandler) {}
    func destroyRecorder(_ handler: any RecorderHandler) {}
    func destroyTimer(_ handler: any TimerHandler) {}
}

/// Records one metric.
private final class Handler: CounterHandler, MeterHandler, TimerHandler {
    private let recorder: MetricsRecorder
    private let metric: String

    init(recorder: MetricsRecorder, metric: String) {
        self.recorder = recorder
        self.metric = metric
    }

    func increment(by amount: Int64) { recorder.record(metric) }
    func reset() {}
    func set(_ value: Int64) { recorder.record(metric) }
    func set(_ value: Double) { recorder.record(metric) }
    func increment(by amount: Double) { recorder.record(metric) }
    func decrement(by amount: Double) { recorder.record(metric) }
    func recordNanoseconds(_ duration: Int64) { recorder.record(metric) }
}
