internal import CPostgreSQL
internal import SQLStatements

extension Connection {
    /// Sends the statements of an exchange and its synchronisation point. Statements that the connection has not prepared are prepared
    /// first, in the same round trip.
    ///
    /// - Parameter timeouts: what limits each statement and each wait for a lock, in milliseconds; `nil` if the connection's own settings
    ///   do. Then statements are also prepared.
    /// - Returns: `false` if the connection is lost, or libpq has no memory.
    func send(_ exchange: Exchange, _ buffer: inout ParameterBuffer, timeouts: Timeouts?) -> Bool {
        self.exchange = exchange
        commands.removeAll(keepingCapacity: true)
        completedCommands = 0
        if let timeouts {
            let sql = """
                SELECT set_config('statement_timeout', '\(timeouts.statement)', true),
                    set_config('lock_timeout', '\(timeouts.lock)', true)
                """
            guard PQsendQueryParams(pointer, sql, 0, nil, nil, nil, nil, Self.binary) == 1 else { return false }
            commands.append(.setting)
        }
        for (index, step) in exchange.steps.enumerated() {
            buffer.encode(step.parameters)
            guard send(step.statement, index, &buffer, prepares: timeouts == nil) else { return false }
        }
        return PQpipelineSync(pointer) == 1 && flush()
    }

    /// Limits in milliseconds.
    typealias Timeouts = (statement: Int64, lock: Int64)

    private static var binary: Int32 { 1 }

    private func send(
        _ statement: SQLStatement,
        _ step: Int,
        _ buffer: inout ParameterBuffer,
        prepares: Bool
    ) -> Bool {
        if prepares, !isPrepared(statement) {
            guard PQsendPrepare(pointer, statement.preparedName, statement.text.postgreSQL, 0, nil) == 1 else {
                return false
            }
            commands.append(.prepare(step: step))
            // A batch may contain the statement several times.
            setPrepared(statement, true)
        }
        commands.append(.execute(step: step))
        return buffer.withParameters { count, values, lengths, formats in
            prepares
                ? PQsendQueryPrepared(pointer, statement.preparedName, count, values, lengths, formats, Self.binary)
                : PQsendQueryParams(
                    pointer,
                    statement.text.postgreSQL,
                    count,
                    nil,
                    values,
                    lengths,
                    formats,
                    Self.binary
                )
        } == 1
    }
}
