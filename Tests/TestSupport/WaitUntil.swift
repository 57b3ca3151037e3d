/// Waits until a condition is true, which it examines repeatedly. The suite's time limit ends the wait.
package func waitUntil(_ condition: () async throws -> Bool) async throws {
    while try await !condition() {
        try Task.checkCancellation()
        await Task.yield()
    }
}
