import Glibc

/// What the kernel reports about this process.
struct ProcessStatus: Sendable {
    var processorSeconds = 0.0
    var residentBytes = 0.0
    var virtualBytes = 0.0
    var openFiles = 0
    /// The limit of open files; infinite without a limit.
    var maximumFiles = Double.infinity
    /// When the process started, in seconds since 1970.
    var startSeconds = 0.0
    /// The limit of the memory of the control group, in bytes; `nil` without a limit.
    var memoryLimit: Double?

    /// Reads the status; `nil` if `/proc` cannot be read.
    init?() {
        let ticks = Double(sysconf(Int32(_SC_CLK_TCK)))
        // The name of the program, in parentheses, may contain spaces.
        guard let text = FileContent.kernelText("/proc/self/stat"), let end = text.lastIndex(of: ")") else {
            return nil
        }
        // From the third field of proc(5) on.
        let fields = text[text.index(after: end)...].split(separator: " ").map { Double($0) ?? 0 }
        guard fields.count > 21, let boot = Self.bootSeconds else { return nil }
        processorSeconds = (fields[11] + fields[12]) / ticks
        startSeconds = boot + fields[19] / ticks
        virtualBytes = fields[20]
        residentBytes = fields[21] * Double(sysconf(Int32(_SC_PAGESIZE)))
        openFiles = Self.countOpenFiles()
        var limit = rlimit()
        if getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0, limit.rlim_cur != .max {
            maximumFiles = Double(limit.rlim_cur)
        }
        memoryLimit = Self.memoryLimit()
    }

    /// A status without values, which a test sets.
    init(processorSeconds: Double) { self.processorSeconds = processorSeconds }

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
