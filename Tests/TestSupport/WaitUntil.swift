/// Waits until a condition is true, which it examines repeatedly. The suite's time limit ends the wait.
package func waitUntil(_ condition: () async throws -> Bool) async throws {
    var attempts = 0
    while try await !condition() {
        try Task.checkCancellation()
        attempts += 1
        // What takes longer waits for a timer or another process, and needs the processor itself.
        if attempts < 1_000 { await Task.yield() } else { try await Task.sleep(for: .milliseconds(1)) }
    }
}
