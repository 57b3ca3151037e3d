/// Returns `true` as soon as the condition is met, or `false` if it is not within the limit.
public func eventually(
    within limit: Duration = .seconds(60),
    _ condition: () async throws -> Bool
) async throws -> Bool {
    let deadline = ContinuousClock.now + limit
    while try await !condition() {
        guard ContinuousClock.now < deadline else { return false }
        try await Task.sleep(for: .milliseconds(5))
    }
    return true
}
