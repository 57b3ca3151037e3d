@Suite(.fiveMinutes) struct `A pool of connections` {
    let file = TemporaryFile()
    let barrier = Barrier()

    @Test func `a reader sees the same rows while others write`() async throws {
        let pool = try file.pool()
        let counts = try await pool.read { [path = file.path] reader in
            let before = try reader.count()
            try SQLiteConnection(path).insert(1)
            return [before, try reader.count()]
        }
        #expect(counts == [0, 0])
        #expect(try await pool.read { try $0.count() } == 1)
    }

    @Test func `calls read at the same time as others read and write`() async throws {
        let pool = try file.pool(maximumReaders: 2)
        let meet = { @Sendable (_: SQLiteConnection) in barrier.block() }
        let calls = (0..<3).map { number in
            Task { if number == 0 { try await pool.write(meet) } else { try await pool.read(meet) } }
        }
        await barrier.arrivals.reaches(3)
        for _ in calls { barrier.lift() }
        for call in calls { try await call.value }
    }

    @Test func `calls that find no reader wait in their order`() async throws {
        let pool = try file.pool(maximumReaders: 1)
        let (order, beginning) = AsyncStream<Int>.makeStream()
        let tasks = (0..<10).map { number in
            Task.immediate {
                try await pool.read { _ in
                    if number == 0 { barrier.block() }
                    beginning.yield(number)
                }
            }
        }
        barrier.lift()
        for task in tasks { try await task.value }
        beginning.finish()
        #expect(await order.reduce(into: []) { $0.append($1) } == Array(0..<10))
    }

    @Test func `a reader that cannot be opened is opened for the next call`() async throws {
        let isOpenable = LockedValue(false)
        let pool = SQLitePool(writer: try file.connection(), maximumReaders: 1) { [path = file.path] in
            try SQLiteConnection(isOpenable.value ? path : path + "-missing")
        }
        let error = await #expect(throws: SQLiteError.self) { try await pool.read { try $0.count() } }
        #expect(error?.code == .cannotOpen)
        isOpenable.value = true
        #expect(try await pool.read { try $0.count() } == 0)
    }

    // MARK: Cancellation

    @Test func `a call of a cancelled task does not begin`() async throws {
        let pool = try file.pool()
        for isRead in [true, false] {
            let task = Task {
                withUnsafeCurrentTask { $0?.cancel() }
                let fail = { @Sendable (_: SQLiteConnection) in _ = Issue.record("it has begun") }
                if isRead { try await pool.read(fail) } else { try await pool.write(fail) }
            }
            await #expect(throws: CancellationError.self) { try await task.value }
        }
    }

    @Test func `a cancelled statement ends, and its transaction changes nothing`() async throws {
        let pool = try file.pool()
        try await expectCancelled { began in
            try await pool.write { writer in
                try writer.inTransaction(.immediate) {
                    try writer.insert(1)
                    began.add()
                    try writer.count(to: .max)
                }
            }
        }
        #expect(try await pool.write { try $0.count() } == 0)
    }

    @Test func `a cancelled read ends, and the reader serves others`() async throws {
        let pool = try file.pool(maximumReaders: 1)
        try await expectCancelled { began in
            try await pool.read { reader in
                began.add()
                try reader.count(to: .max)
            }
        }
        #expect(try await pool.read { try $0.count() } == 0)
    }

    @Test func `a cancelled transaction does not wait for other connections`() async throws {
        let pool = try file.pool()
        let other = try SQLiteConnection(file.path)
        try other.execute("BEGIN IMMEDIATE")
        try await expectCancelled { began in
            try await pool.write(deadline: .now + .seconds(3600)) { writer in
                began.add()
                try writer.inTransaction(.immediate) { try writer.insert(1) }
            }
        }
        try other.execute("COMMIT")
        #expect(try other.count() == 0)
    }

    /// Cancels a call after it has begun.
    func expectCancelled(_ call: @escaping @Sendable (_ began: Tally) async throws -> Void) async throws {
        let began = Tally()
        let task = Task { try await call(began) }
        await began.reaches(1)
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    @Test func `a cancelled transaction is not committed, even if its body ignores errors`() async throws {
        let pool = try file.pool()
        let task = Task {
            try await pool.write { writer in
                try writer.inTransaction(.immediate) {
                    try writer.insert(1)
                    withUnsafeCurrentTask { $0?.cancel() }
                    try? writer.insert(2)
                }
            }
        }
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(try await pool.read { try $0.count() } == 0)
    }

    @Test func `a statement outside of a transaction does not end with its task`() async throws {
        let pool = try file.pool()
        let task = Task {
            try await pool.write { writer in
                try writer.inTransaction(.immediate) { try writer.insert(1) }
                withUnsafeCurrentTask { $0?.cancel() }
                try writer.insert(2)
            }
        }
        try await task.value
        #expect(try await pool.read { try $0.count() } == 2)
    }

    // MARK: Closing

    @Test func `closing waits for running statements, and later calls fail`() async throws {
        let pool = try file.pool()
        let hasEnded = LockedValue(false)
        let started = Tally()
        let task = Task {
            try await pool.read { reader in
                started.add()
                barrier.block()
                hasEnded.value = true
                return try reader.count()
            }
        }
        await started.reaches(1)
        barrier.lift()
        pool.close()
        #expect(hasEnded.value)
        #expect(try await task.value == 0)
        pool.close()
        for isRead in [true, false] {
            let error = await #expect(throws: SQLiteError.self) {
                _ = isRead ? try await pool.read { try $0.count() } : try await pool.write { try $0.count() }
            }
            #expect(error?.code == .misuse)
        }
    }

    @Test func `the file of a closed pool contains everything`() async throws {
        let pool = try file.pool()
        try await pool.write { try $0.insert(1) }
        #expect(try await pool.read { try $0.count() } == 1)
        #expect(file.exists("-wal"))
        pool.close()
        #expect(!file.exists("-wal"))
        #expect(try SQLiteConnection(file.path, .immutable).count() == 1)
    }

    @Test func `a pool that is released closes its file`() async throws {
        for number in 1...50 {
            _ = try await Task {
                let pool = try file.pool()
                try await pool.write { try $0.insert(number) }
                return try await pool.read { try $0.count() }
            }.value
            #expect(!file.exists("-wal"))
        }
    }
}
