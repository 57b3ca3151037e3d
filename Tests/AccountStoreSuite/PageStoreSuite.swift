/// The behaviour of every database that stores the tables of an embedder.
public enum PageStoreSuite {
    /// The migrations of an embedder.
    package static let migrations: [SQLText] = [
        SQLText(
            postgreSQL: "CREATE TABLE own_slot (name text NOT NULL PRIMARY KEY, booked boolean NOT NULL)",
            sqlite: "CREATE TABLE own_slot (name TEXT NOT NULL PRIMARY KEY, booked INTEGER NOT NULL) STRICT"
        ),
        "INSERT INTO own_slot VALUES ('9:00', FALSE); INSERT INTO own_slot VALUES ('10:00', FALSE)",
    ]

    static let select = SQLStatement("own slots", "SELECT name FROM own_slot WHERE booked = $1 ORDER BY name")
    static let add = SQLStatement("own add slot", "INSERT INTO own_slot VALUES ($1, FALSE)")
    static let book = SQLStatement(
        "own book slot",
        "UPDATE own_slot SET booked = TRUE WHERE name = $1 AND NOT booked RETURNING name"
    )

    /// The names of the slots that are booked, or free.
    static func slots(_ store: PageDatabase, booked: Bool) async throws -> [String] {
        try await store.read(select(booked)) { try $0.text(0) }
    }

    /// The behaviours of a store outside of an event. Check each with a store whose migrations have run.
    package static let storeBehaviours: [Behaviour<PageDatabase>] = [
        Behaviour("what is written can be read, with every byte") { store in
            try await store.stage([add("\u{1}é")])
            #expect(try await slots(store, booked: false) == ["\u{1}é", "10:00", "9:00"])
        },
        Behaviour("a text with U+0000 is an error, and nothing is written") { store async throws in
            for text in ["\0", "9:00\0", "\0x"] {
                await #expect(throws: (any Error).self) { try await store.stage([add("x"), add(text)]) }
            }
            #expect(try await slots(store, booked: false) == ["10:00", "9:00"])
        },
        Behaviour("if a step that requires a row returns none, nothing is written") { store in
            try await store.stage([book("9:00").requiringRow()])
            await #expect(throws: DataHaveChanged.self) {
                try await store.stage([add("x"), book("9:00").requiringRow()])
            }
            #expect(try await slots(store, booked: true) == ["9:00"])
            #expect(try await slots(store, booked: false) == ["10:00"])
        },
        Behaviour("a transaction reads what it has written, and writes nothing if it throws") { store in
            let names = try await store.write { transaction in
                try transaction.execute([add("8:00"), book("9:00").requiringRow()])
                return try transaction.read(select(false)) { try $0.text(0) }
            }
            #expect(names == ["10:00", "8:00"])
            await #expect(throws: DataHaveChanged.self) {
                try await store.write { transaction in
                    try transaction.execute([add("x")])
                    try transaction.execute([book("9:00").requiringRow()])
                }
            }
            #expect(try await slots(store, booked: false) == ["10:00", "8:00"])
        },
    ]

    /// The behaviours of a database. Check each with two processes that use an empty database.
    package static let behaviours: [Behaviour<[SharedTopicsSuite.Process]>] = [
        Behaviour("each migration runs once, and a number of a newer version is rejected") { processes in
            let database = processes[0].database
            try await database.migratePages([])
            try await database.migratePages(Array(migrations.prefix(1)))
            #expect(try await slots(processes[0].pages, booked: false) == [])
            for process in processes { try await process.database.migratePages(migrations) }
            #expect(try await slots(processes[0].pages, booked: false) == ["10:00", "9:00"])
            await #expect(throws: (any Error).self) { try await database.migratePages(Array(migrations.prefix(1))) }
        },
        Behaviour("what an event writes is committed with it, and publishes its topics in all processes") { processes in
            let (one, other) = (processes[0], processes[1])
            try await one.database.migratePages(migrations)
            for process in processes { try await process.shared.read() }
            let here = try await one.published {
                let result = try await one.database.commit(1) {
                    try await one.pages.stage([book("9:00").requiringRow()], publishing: "slots")
                    #expect(try await slots(other.pages, booked: true) == [])
                }
                #expect(result == .committed)
            }
            #expect(here == ["slots"])
            #expect(try await slots(other.pages, booked: true) == ["9:00"])
            #expect(try await other.read() == ["slots"])
        },
        Behaviour("an event that writes a text with U+0000 fails, and nothing is committed") { processes in
            let one = processes[0]
            try await one.database.migratePages(migrations)
            await #expect(throws: (any Error).self) {
                try await one.database.commit(1) { try await one.pages.stage([add("\0")], publishing: "slots") }
            }
            #expect(try await slots(one.pages, booked: false) == ["10:00", "9:00"])
            #expect(try await one.database.sessions { 0 }.find(1) == .unknown)
        },
        Behaviour("of two events that book the same slot, the second one is not committed and publishes nothing") {
            processes in
            let (one, other) = (processes[0], processes[1])
            try await one.database.migratePages(migrations)
            let event: @Sendable () async throws -> Void = {
                try await other.pages.stage([book("9:00").requiringRow()], publishing: "slots")
            }
            #expect(try await other.database.commit(1, event) == .committed)
            try await one.shared.read()
            #expect(try await other.database.commit(2, event) == .conflict)
            #expect(try await one.read() == [])
            #expect(try await other.database.sessions { 0 }.find(2) == .unknown)
        },
        Behaviour("a write outside of an event publishes its topics at once, and in other processes") { processes in
            let (one, other) = (processes[0], processes[1])
            try await one.database.migratePages(migrations)
            try await other.shared.read()
            let here = try await one.published {
                try await one.pages.stage([add("x")], publishing: "slots")
                try await one.pages.write(publishing: "other") { try $0.execute([add("y")]) }
            }
            #expect(here == ["slots", "other"])
            #expect(try await other.read() == ["slots", "other"])
        },
    ]
}
