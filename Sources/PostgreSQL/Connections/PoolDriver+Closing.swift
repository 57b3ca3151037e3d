extension PoolDriver {
    /// Rejects new calls, and returns when all accepted ones are finished or the deadline has passed. Then all connections are closed.
    func close(by deadline: ContinuousClock.Instant) async {
        await withCheckedContinuation { continuation in
            switch closing {
            case .no: closing = .draining(until: deadline, [continuation])
            case .draining(let earlier, let others):
                closing = .draining(until: min(earlier, deadline), others + [continuation])
            case .closed: return continuation.resume()
            }
            for connection in idle { close(connection) }
            examineDeadlines(by: deadline)
            closeIfDrained()
        }
    }

    /// Ends the pool if it is closing and no call is left.
    func closeIfDrained() {
        guard case .draining = closing, waiting.isEmpty, transactions.isEmpty else { return }
        if connections.allSatisfy({ $0.exchange == nil || !$0.isReady }) { closeAll() }
    }

    /// Closes all connections, and fails what they execute.
    func closeAll() {
        guard case .draining(_, let continuations) = closing else { return }
        closing = .closed
        let error = PostgreSQLError.unavailable(reason: "the pool is closed")
        for exchange in waiting.remove(where: { _ in true }) { end(exchange, error) }
        for connection in connections { abandon(connection, "the pool was closed", error) }
        for continuation in continuations { continuation.resume() }
    }
}
