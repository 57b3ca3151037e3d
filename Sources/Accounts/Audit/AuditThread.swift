import Dispatch

/// A thread on which an audit log may wait for a disk, or for a process that has locked a file. It executes one call after the other.
package struct AuditThread: Sendable {
    private let queue = DispatchQueue(label: "audit log")

    package init() {}

    /// Executes `body`, which may block, and returns after it, also if the task is cancelled.
    package func run(_ body: @escaping @Sendable () -> Void) async {
        await withCheckedContinuation { continuation in
            queue.async {
                body()
                continuation.resume()
            }
        }
    }
}
