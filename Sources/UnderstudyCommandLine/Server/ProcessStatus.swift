import Glibc
import Understudy

/// What the kernel reports about this process.
enum ProcessStatus {
    /// The status with the names that all client libraries of Prometheus use; empty if `/proc` cannot be read.
    static var samples: [MetricSample] {
        let ticks = Double(sysconf(Int32(_SC_CLK_TCK)))
        // The name of the program, in parentheses, may contain spaces.
        guard let text = FileContent.kernelText("/proc/self/stat"), let end = text.lastIndex(of: ")") else { return [] }
        // From the third field of proc(5) on.
        let fields = text[text.index(after: end)...].split(separator: " ").map { Double($0) ?? 0 }
        guard fields.count > 21, let boot = bootSeconds else { return [] }
        var limit = rlimit()
        let isLimited = getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 && limit.rlim_cur != .max
        return [
            .counter("process_cpu_seconds_total", (fields[11] + fields[12]) / ticks),
            .gauge("process_resident_memory_bytes", fields[21] * Double(sysconf(Int32(_SC_PAGESIZE)))),
            .gauge("process_virtual_memory_bytes", fields[20]),
            .gauge("process_open_fds", Double(countOpenFiles())),
            .gauge("process_max_fds", isLimited ? Double(limit.rlim_cur) : .infinity),
            .gauge("process_start_time_seconds", boot + fields[19] / ticks),
            .gauge("understudy_memory_limit_bytes", memoryLimit() ?? .infinity),
        ]
    }

    private static let bootSeconds: Double? = {
        let line = FileContent.kernelText("/proc/stat")?.split(separator: "\n").first { $0.hasPrefix("btime ") }
        return line.flatMap { Double($0.dropFirst(6)) }
    }()

    private static func countOpenFiles() -> Int {
        guard let folder = opendir("/proc/self/fd") else { return 0 }
        defer { closedir(folder) }
        var count = 0
        while let entry = readdir(folder) {
            // Not "." and "..".
            if entry.pointee.d_name.0 != 0x2E { count += 1 }
        }
        // Without the descriptor of the folder.
        return max(0, count - 1)
    }

    /// The lowest limit of the control group (version 2) and of those that contain it.
    private static func memoryLimit() -> Double? {
        let group = FileContent.kernelText("/proc/self/cgroup")?.split(separator: "\n").first { $0.hasPrefix("0::/") }
        guard let group else { return nil }
        var names = group.dropFirst(4).split(separator: "/")
        var lowest: Double?
        while true {
            let path = "/sys/fs/cgroup/" + names.map { $0 + "/" }.joined() + "memory.max"
            if let limit = FileContent.kernelText(path).flatMap({ Double($0.filter { $0 != "\n" }) }) {
                lowest = min(limit, lowest ?? limit)
            }
            guard names.popLast() != nil else { return lowest }
        }
    }
}
