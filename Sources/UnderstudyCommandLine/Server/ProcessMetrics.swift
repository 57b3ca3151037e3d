import CoreMetrics
import Synchronization

/// The metrics of the process, with the names that all client libraries of Prometheus use.
final class ProcessMetrics: Sendable {
    /// The description of each metric by its name.
    static let descriptions = [
        "process_cpu_seconds_total": "Processor time that the process has used, in seconds.",
        "process_resident_memory_bytes": "Memory of the machine that the process uses, in bytes.",
        "process_virtual_memory_bytes": "Addresses that the process has mapped, in bytes.",
        "process_open_fds": "Open file descriptors.",
        "process_max_fds": "How many file descriptors the process may open.",
        "process_start_time_seconds": "When the process started, in seconds since 1970.",
        "understudy_memory_limit_bytes": "The limit of the memory of the process's control group, in bytes.",
    ]

    private let processorTime: FloatingPointCounter
    private let resident, virtual, openFiles, maximumFiles, start, memoryLimit: Meter
    private let read: @Sendable () -> ProcessStatus?
    private let counted = Mutex(0.0)

    /// - Parameter read: reads the status of the process.
    init(factory: any MetricsFactory, read: @escaping @Sendable () -> ProcessStatus? = { ProcessStatus() }) {
        func meter(_ name: String) -> Meter { Meter(label: name, factory: factory) }
        self.read = read
        processorTime = FloatingPointCounter(label: "process_cpu_seconds_total", factory: factory)
        resident = meter("process_resident_memory_bytes")
        virtual = meter("process_virtual_memory_bytes")
        openFiles = meter("process_open_fds")
        maximumFiles = meter("process_max_fds")
        start = meter("process_start_time_seconds")
        memoryLimit = meter("understudy_memory_limit_bytes")
    }

    /// Updates the metrics. If the status cannot be read, they stay the same.
    func update() {
        guard let status = read() else { return }
        counted.withLock { counted in
            processorTime.increment(by: max(0, status.processorSeconds - counted))
            counted = status.processorSeconds
        }
        resident.set(status.residentBytes)
        virtual.set(status.virtualBytes)
        openFiles.set(status.openFiles)
        maximumFiles.set(status.maximumFiles)
        start.set(status.startSeconds)
        memoryLimit.set(status.memoryLimit ?? .infinity)
    }
}
