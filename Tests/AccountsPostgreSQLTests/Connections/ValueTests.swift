@Suite(.fiveMinutes)
struct ValueTests {
    @Test func `a text with U+0000 is not sent`() async throws {
        let error = SQLValueError(parameter: 2, of: "test", "its text contains U+0000")
        await #expect(throws: error) { try await row("SELECT $1::text, $2::text", .text("a"), .text("b\0")) }
    }

    @Test func `values return as they were sent`() async throws {
        for integer in [0, -1, 42, .max, .min] as [Int64] {
            #expect(try await row("SELECT $1::bigint", .integer(integer)).integer(0) == integer)
        }
        for text in ["", "Zoë 🙂", "quote ' and \\", "1"] {
            #expect(try await row("SELECT $1::text", .text(text)).text(0) == text)
        }
        let row = try await row(
            "SELECT $1::bytea, $2::bool, $3::int, $4::int2",
            .bytes([0, 255, 39, 92]),
            .boolean(true),
            .integer(7),
            .integer(-3)
        )
        #expect(try row.bytes(0) == [0, 255, 39, 92])
        #expect(try row.boolean(1))
        #expect(try row.integer(2) == 7)
        #expect(try row.integer(3) == -3)
    }

    @Test func `null is nil in an optional getter and an error in the others`() async throws {
        let row = try await row("SELECT $1::text, NULL::bigint", .null)
        #expect(try row.optionalText(0) == nil)
        #expect(try row.optionalInteger(1) == nil)
        #expect(throws: SQLValueError(column: 0, "the value is null")) { try row.text(0) }
    }

    @Test func `a column of another type or that does not exist is an error`() async throws {
        let row = try await row("SELECT 'a'::text, 1.5::numeric, 'infinity'::timestamptz")
        #expect(throws: SQLValueError.self) { try row.integer(0) }
        #expect(throws: SQLValueError.self) { try row.boolean(1) }
        #expect(throws: SQLValueError.self) { try row.bytes(2) }
        #expect(throws: SQLValueError(column: 3, "the row has 3 columns")) { try row.text(3) }
        #expect(throws: SQLValueError.self) { try row.text(-1) }
    }

    @Test func `10 MB of text or bytes return as they were sent`() async throws {
        let text = "0123456789".repeated(1 << 20)
        let row = try await row("SELECT $1::text, $2::bytea", .text(text), .bytes(text.bytes))
        #expect(try row.text(0) == text)
        #expect(try row.bytes(1) == text.bytes)
    }

    @Test func `a result contains 100,000 rows`() async throws {
        try await withPool { pool in
            let rows = try await pool.execute(.sql("SELECT i, 'row ' || i FROM generate_series(1, 100000) AS i"))
            #expect(rows.count == 100_000)
            #expect(try rows.reduce(0) { try $0 + $1.integer(0) } == 5_000_050_000)
            #expect(try rows[99_999].text(1) == "row 100000")
        }
    }

    func row(_ sql: String, _ parameters: SQLValue...) async throws -> SQLRow {
        try await withPool { pool in try await pool.execute(SQLStep(.sql(sql), parameters))[0] }
    }
}
