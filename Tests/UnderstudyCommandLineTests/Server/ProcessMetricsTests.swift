@testable import UnderstudyCommandLine

struct ProcessMetricsTests {
    func value(_ name: String) throws -> Double { try #require(ProcessMetrics.samples.first { $0.name == name }).value }

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

    @Test func `the memory limit is the lowest of the control groups, of version 2 or 1`() {
        func limit(_ groups: String, _ files: [String: String]) -> Double? {
            ProcessMetrics.memoryLimit { $0 == "/proc/self/cgroup" ? groups : files[$0] }
        }
        let two = ["/sys/fs/cgroup/a/memory.max": "2000\n", "/sys/fs/cgroup/a/b/memory.max": "max\n"]
        #expect(limit("0::/a/b\n", two) == 2000)
        #expect(limit("0::/\n", two) == nil)
        let one = [
            "/sys/fs/cgroup/memory/memory.limit_in_bytes": "9223372036854771712\n",
            "/sys/fs/cgroup/memory/a/memory.limit_in_bytes": "3000\n",
        ]
        #expect(limit("5:cpu:/a\n4:hugetlb,memory:/a\n0::/\n", one) == 3000)
        #expect(limit("4:memory:/\n", one) == nil)
        // In a container of version 1, the path is that of the machine.
        #expect(limit("4:memory:/docker/0\n", ["/sys/fs/cgroup/memory/memory.limit_in_bytes": "4000"]) == 4000)
        for text in ["", "\n", "4:memory", "0::", "a:b:c:d"] { #expect(limit(text, two) == nil) }
    }

    @Test func `an open file is counted`() throws {
        // Other tests open files at the same time.
        let files = (0..<200).map { _ in open("/dev/null", O_RDONLY | O_CLOEXEC) }
        defer { for file in files { close(file) } }
        #expect(try value("process_open_fds") >= 200)
    }
}
