/// Calls a closure so many times at the same time, with the numbers from 0 on.
///
/// - Returns: the results, in the order in which the calls have ended.
@discardableResult
package func concurrently<Result: Sendable>(
    _ count: Int,
    _ body: @escaping @Sendable (_ number: Int) async throws -> Result
) async throws -> [Result] {
    try await withThrowingTaskGroup(of: Result.self) { group in
        for number in 0..<count { group.addTask { try await body(number) } }
        return try await group.reduce(into: []) { $0.append($1) }
    }
}
