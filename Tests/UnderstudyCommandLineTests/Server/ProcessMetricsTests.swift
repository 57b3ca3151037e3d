import Glibc
import TestSupport
import Understudy

@testable import UnderstudyCommandLine

@Suite struct ProcessMetricsTests {
    private func value(_ name: String) throws -> Double {
        try #require(ProcessMetrics.samples.first { $0.name == name }).value
    }

    @Test func `the metrics of this process are plausible`() throws {
        let now = Double(time(nil))
        #expect(try value("process_start_time_seconds") <= now + 1)
        #expect(try value("process_start_time_seconds") > now - 86_400)
        let resident = try value("process_resident_memory_bytes")
        #expect(resident > 1_000_000)
        #expect(try resident < value("process_virtual_memory_bytes"))
        #expect(try resident < value("understudy_memory_limit_bytes"))
        #expect(try value("process_open_fds") >= 3)
        #expect(try value("process_open_fds") < value("process_max_fds"))
        #expect(try value("process_cpu_seconds_total") > 0)
    }

    @Test func `an open file is counted`() throws {
        // Other tests open files at the same time.
        let files = (0..<200).map { _ in open("/dev/null", O_RDONLY | O_CLOEXEC) }
        defer { for file in files { close(file) } }
        #expect(try value("process_open_fds") >= 200)
    }
}
