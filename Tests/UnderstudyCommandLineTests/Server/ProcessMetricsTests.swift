import Glibc
import Prometheus
import Synchronization
import Testing

@testable import UnderstudyCommandLine

@Suite struct ProcessMetricsTests {
    private let registry = PrometheusRegistry(help: ProcessMetrics.descriptions)

    private func value(_ name: String) -> Double? {
        let line = registry.exposition().split(separator: "\n").first { $0.hasPrefix(name + " ") }
        return line.flatMap { Double($0.dropFirst(name.count + 1)) }
    }

    @Test func `the metrics of this process are plausible`() throws {
        let metrics = ProcessMetrics(factory: registry)
        metrics.update()
        let now = Double(time(nil))
        #expect(try #require(value("process_start_time_seconds")) <= now + 1)
        #expect(try #require(value("process_start_time_seconds")) > now - 86_400)
        let resident = try #require(value("process_resident_memory_bytes"))
        #expect(resident > 1_000_000)
        #expect(resident < (try #require(value("process_virtual_memory_bytes"))))
        #expect(resident < (try #require(value("understudy_memory_limit_bytes"))))
        #expect(try #require(value("process_open_fds")) >= 3)
        #expect(try #require(value("process_open_fds")) < (try #require(value("process_max_fds"))))
        #expect(registry.exposition().contains("# TYPE process_cpu_seconds_total counter\n"))
    }

    @Test func `an open file is counted`() throws {
        // Other tests open files at the same time.
        let files = (0..<200).map { _ in open("/dev/null", O_RDONLY | O_CLOEXEC) }
        defer { for file in files { close(file) } }
        #expect(try #require(ProcessStatus()).openFiles >= 200)
    }

    @Test func `the processor time is that of the process, however often it is read`() {
        let seconds = Mutex(1.5)
        let metrics = ProcessMetrics(factory: registry) { ProcessStatus(processorSeconds: seconds.withLock { $0 }) }
        metrics.update()
        metrics.update()
        seconds.withLock { $0 = 2.25 }
        metrics.update()
        #expect(value("process_cpu_seconds_total") == 2.25)
    }
}
