extension PoolDriver {
    /// Makes the thread examine deadlines at the given time, or before.
    func examineDeadlines(by time: ContinuousClock.Instant) {
        nextCheck = nextCheck.map { min($0, time) } ?? time
    }

    /// Ends everything whose deadline has passed, if the earliest deadline has.
    func checkDeadlines() {
        guard let check = nextCheck, check <= .now else { return }
        nextCheck = nil
        let now = ContinuousClock.now
        endWaitingCalls(now)
        for connection in connections { checkDeadline(of: connection, now) }
        connectForWaitingCalls()
        if case .draining(let deadline, _) = closing {
            if deadline <= now { closeAll() } else { examineDeadlines(by: deadline) }
        }
    }

    private func endWaitingCalls(_ now: ContinuousClock.Instant) {
        let isConnected = connections.contains(where: \.isReady)
        for exchange in waiting.remove(where: { $0.deadline <= now }) {
            let reason = lastFailure ?? "no connection was opened before the deadline"
            end(exchange, isConnected ? PostgreSQLError.deadlineExceeded : .unavailable(reason: reason))
        }
        if let deadline = waiting.earliestDeadline { examineDeadlines(by: deadline) }
    }

    private func checkDeadline(of connection: Connection, _ now: ContinuousClock.Instant) {
        if !connection.isReady {
            guard connection.connectDeadline <= now else { return examineDeadlines(by: connection.connectDeadline) }
            hostOffset += 1
            return lose(connection, "the server at \(connection.hostDescription) does not respond")
        }
        if let deadline = connection.exchange?.deadline ?? connection.transaction?.deadline {
            guard deadline <= now else { return examineDeadlines(by: deadline) }
            return abandon(connection, "the deadline has passed", PostgreSQLError.deadlineExceeded)
        }
        guard connection.expiry <= now else { return examineDeadlines(by: connection.expiry) }
        close(connection)
    }
}

extension Duration {
    /// Whole milliseconds, at least 1.
    var wholeMilliseconds: Int64 {
        max(1, components.seconds * 1000 + components.attoseconds / 1_000_000_000_000_000)
    }
}
