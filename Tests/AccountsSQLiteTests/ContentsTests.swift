struct `Contents of a database that are restored` {
    let folder = TemporaryFolder()

    @Test func `everything is as it was, also for another process and after the next start`() async throws {
        let database = try folder.open()
        let (ada, bob) = (Account.ada, Account.bob)
        try await database.add(ada)
        try await database.addProducts([.car])
        let session = SessionStoreSuite.session(1)
        try await database.sessions { 0 }.save([session])
        let contents = try await database.contents()
        let other = try folder.connect()
        for _ in 1...3 {
            try await database.add(bob)
            #expect(try await database.remove(ada.id))
            try await database.update(.account(bob.id)) { $0.failures = 3 }
            try await database.addProducts([.book])
            #expect(try await database.sessions { 0 }.take(limit: 1) == [session])
            #expect(try await other.text("SELECT group_concat(username) FROM account") == "bob")
            try await database.restore(contents)
            #expect(try await other.text("SELECT group_concat(username) FROM account") == "ada")
            #expect(try await other.text("PRAGMA integrity_check") == "ok")
            #expect(try await database.all == [ada])
            #expect(try await database.revocations == [])
            #expect(try await database.failureCounts(of: [bob.id]).isEmpty)
            #expect(try await database.products.get().map(\.name) == ["Car"])
        }
        #expect(try await database.sessions { 0 }.take(limit: 1) == [session])
        database.close()
        #expect(try await folder.open().all == [ada])
    }

    @Test func `readers and writers at the same time see all of it, or nothing`() async throws {
        let database = try folder.open()
        let contents = try await database.contents()
        let writing = Task {
            var number = 0
            while !Task.isCancelled {
                try await database.add([.sample("a\(number)"), .sample("b\(number)")])
                #expect(try await database.all.count % 2 == 0)
                number += 1
            }
        }
        for _ in 1...20 { try await database.restore(contents) }
        writing.cancel()
        _ = await writing.result
        try await database.restore(contents)
        #expect(try await database.all == [])
    }

    @Test func `many restores leave short files behind`() async throws {
        let database = try folder.open()
        let contents = try await database.contents()
        for _ in 1...50 { try await database.restore(contents) }
        for name in folder.names {
            let size = try FileManager.default.attributesOfItem(atPath: folder.database(name))[.size] as? Int
            #expect(size.map { $0 < 2 << 20 } == true, "\(name): \(size ?? -1)")
        }
    }

    @Test func `if another process writes, nothing changes`() async throws {
        let database = try folder.open(busyTimeout: .seconds(1))
        let contents = try await database.contents()
        try await database.add(.ada)
        let other = try folder.connect()
        try await other.execute("BEGIN IMMEDIATE")
        await #expect(throws: CollaboratorError.outage(of: "accounts")) { try await database.restore(contents) }
        #expect(try await database.all.count == 1)
        try await other.execute("COMMIT")
        try await database.restore(contents)
        #expect(try await database.all.isEmpty)
    }
}
