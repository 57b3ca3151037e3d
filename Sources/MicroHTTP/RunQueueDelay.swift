internal import Glibc

/// How long a thread could run, but waited because others had the processors. Use it on that thread.
struct RunQueueDelay: ~Copyable {
    private var descriptor: Int32 = -1
    /// The delay since the start of the thread at the last call, in nanoseconds.
    private var last: UInt64 = 0

    deinit {
        if descriptor >= 0 { close(descriptor) }
    }

    /// Begins to measure the calling thread. If the kernel does not report its delay, that is always 0.
    ///
    /// - Parameter path: the kernel's file for the thread.
    mutating func begin(_ path: String = "/proc/thread-self/schedstat") {
        // Documentation/scheduler/sched-stats.rst: time on the processor, time on a run queue, and the number of time slices.
        descriptor = open(path, O_RDONLY | O_CLOEXEC)
        _ = take()
    }

    /// The delay since the previous call, in milliseconds.
    mutating func take() -> UInt64 {
        guard descriptor >= 0 else { return 0 }
        let text = String(unsafeUninitializedCapacity: 80) { max(0, pread(descriptor, $0.baseAddress, $0.count, 0)) }
        let fields = text.split(separator: " ")
        guard fields.count >= 2, let total = UInt64(fields[1]), total >= last else { return 0 }
        defer { last = total }
        return (total - last) / 1_000_000
    }
}
