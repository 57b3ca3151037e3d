@Suite(.fiveMinutes, .serialized)
struct SharedTopicsTests {
    @Test func `of transactions that are not committed in their order, each topic is published once`() async throws {
        try await TestSchema.withDatabase { schema, database in
            var position = try await database.publications(after: nil).position
            func read() async throws -> [Topic] {
                let new = try await database.publications(after: position)
                position = new.position
                #expect(new.isComplete)
                return new.publications.map(\.topic)
            }
            func publish(_ name: String) -> String {
                "INSERT INTO publication (token, name, key) VALUES (1, '\(name)', '')"
            }
            try await schema.whileOpen(publish("first")) {
                #expect(try await schema.whileOpen(publish("second")) { try await read() } == [])
                #expect(try await read() == ["second"])
                try await schema.execute(publish("third"))
                #expect(try await read() == ["third"])
            }
            #expect(try await read() == ["first"])
            #expect(try await read() == [])
        }
    }

    @Test func `rows of a restored copy, with IDs of later transactions, are not published`() async throws {
        try await TestSchema.withDatabase { schema, database in
            let position = try await database.publications(after: nil).position
            try await schema.execute(
                """
                INSERT INTO publication (transaction, token, name, key)
                SELECT (pg_current_xact_id()::text::bigint + 1000000)::text::xid8, 1, 'restored', ''
                """
            )
            #expect(try await database.publications(after: position).publications == [])
        }
    }

    @Test(arguments: [Cluster.StopMode.fast, .immediate])
    func `a server publishes everything when its lost connection is back`(_ mode: Cluster.StopMode) async throws {
        let cluster = try Cluster()
        try await withDatabase(cluster.uri, timeout: .seconds(1)) { database in
            let topics = Topics()
            let shared = DatabaseTopics(database, topics, clock: ManualClock())
            #expect(try await shared.read())
            var number = topics.latest
            try cluster.stop(mode)
            #expect(try await !shared.read())
            #expect(!topics.havePublished(["any"], after: number))
            try cluster.start()
            try await waitUntil { try await shared.read() }
            #expect(topics.havePublished(["any"], after: number))
            number = topics.latest
            #expect(try await shared.read())
            #expect(!topics.havePublished(["any"], after: number))
        }
    }

    @Test func `a server that was restarted between two readings makes all topics be published`() async throws {
        let cluster = try Cluster()
        try await withDatabase(cluster.uri) { database in
            let position = try await database.publications(after: nil).position
            #expect(try await database.publications(after: position).isComplete)
            try cluster.stop(.fast)
            try cluster.start()
            #expect(try await !database.publications(after: position).isComplete)
        }
    }
}
