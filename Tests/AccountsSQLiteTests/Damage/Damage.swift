/// Changes random columns of a database, as a failing disk or another program does.
struct Damage {
    var random: SequenceRandom
    /// What has changed.
    private(set) var changes: [String] = []

    init(seed: UInt64) { random = SequenceRandom(seed: seed) }

    /// The tables and columns of a database that contain integers.
    static func integerColumns(of path: String) throws -> [(table: String, column: String)] {
        try SQLiteConnection(path).run(
            """
            SELECT tables.name, columns.name FROM sqlite_master AS tables, pragma_table_info(tables.name) AS columns
            WHERE tables.type = 'table' AND tables.name <> 'understudy_version' AND columns.type IN ('INTEGER', '')
            """
        ).map { (try $0.text(0), try $0.text(1)) }
    }

    /// A number from 0 up to, not including, `count`.
    mutating func number(below count: Int) -> Int { Int.random(in: 0..<max(1, count), using: &random) }

    /// Changes some columns of one row, or of several.
    mutating func apply(to path: String) throws {
        let connection = try SQLiteConnection(path)
        try connection.execute("PRAGMA foreign_keys = OFF")
        for _ in 0...(number(below: 3) == 0 ? number(below: 6) : 0) { try change(connection) }
    }

    mutating func change(_ db: SQLiteConnection) throws {
        let names = try db.run(
            "SELECT name FROM sqlite_master WHERE type = 'table' AND name <> 'understudy_version' ORDER BY name"
        ).map { try $0.text(0) }
        // Most of what can go wrong is in the tables of sessions.
        let sessions = names.filter { $0.contains("session") }
        let table = number(below: 2) == 0 ? names[number(below: names.count)] : sessions[number(below: sessions.count)]
        let columns = try db.run("SELECT name, type, pk FROM pragma_table_info('\(table)')")
            .map { (name: try $0.text(0), type: try $0.text(1), key: try $0.number(2)) }
        let count = try db.run("SELECT count(*) FROM \(table)")[0].number(0)
        guard count > 0 else { return }
        let contents = number(below: 2) == 0 ? columns.filter { $0.name == "content" } : []
        let (column, offset) = (contents.first ?? columns[number(below: columns.count)], number(below: count))
        let (name, type) = (column.name, column.type)
        let keys = columns.filter { $0.key > 0 }.map(\.name)
        let condition = keys.isEmpty ? "rowid" : "(\(keys.joined(separator: ", ")))"
        let row =
            "(SELECT \(keys.isEmpty ? "rowid" : keys.joined(separator: ", ")) FROM \(table) LIMIT 1 OFFSET \(offset))"
        let old = try db.run("SELECT \(name) FROM \(table) WHERE \(condition) = \(row)").first.map(Self.value) ?? .null
        let new = value(like: old, type)
        do {
            let sql = type == "TEXT" ? "CAST(?1 AS TEXT)" : "?1"
            try db.run("UPDATE \(table) SET \(name) = \(sql) WHERE \(condition) = \(row)", new)
            changes.append("\(table).\(name) of row \(offset): \(Self.text(old)) is now \(Self.text(new))")
        } catch let error as SQLiteError where [.constraint, .mismatch].contains(error.code) {
            // The column admits no other value, or no equal one.
        }
    }

    static func value(_ row: SQLRow) -> SQLValue {
        if let bytes = (try? row.bytes(0)) ?? (try? row.text(0)).map({ $0.bytes }) { return .bytes(bytes) }
        return (try? row.integer(0)).map { .integer($0) } ?? .null
    }

    static func text(_ value: SQLValue) -> String {
        guard case .bytes(let bytes) = value else { return "\(value)" }
        return bytes.prefix(2000).text
    }

    mutating func value(like old: SQLValue, _ type: String) -> SQLValue {
        if number(below: 20) == 0 { return .null }
        if type == "INTEGER" || type.isEmpty { return .integer(extreme()) }
        var bytes: [UInt8] = if case .bytes(let bytes) = old { bytes } else { [] }
        switch number(below: 8) {
        case 0: bytes = (0..<number(below: 40)).map { _ in UInt8(number(below: 256)) }
        case 1: bytes = Array(bytes.prefix(number(below: bytes.count)))
        case 2: bytes = Array(repeating: UInt8(ascii: "["), count: number(below: 100_000))
        case 3 where !bytes.isEmpty: bytes[number(below: bytes.count)] = UInt8(number(below: 256))
        default: bytes = replacingNumber(in: bytes)
        }
        return .bytes(bytes)
    }

    /// The JSON with another number as the value of a member, or of all members of that name.
    mutating func replacingNumber(in bytes: [UInt8]) -> [UInt8] {
        let pieces = bytes.text.split(separator: ":", omittingEmptySubsequences: false)
        var names: Set<Substring> = []
        for (piece, next) in zip(pieces, pieces.dropFirst()) where next.first?.isNumber == true {
            names.insert(piece.suffix(9))
        }
        let candidates = names.sorted()
        guard !candidates.isEmpty else { return bytes }
        let (name, new, isOne) = (candidates[number(below: candidates.count)], extreme(), number(below: 2) == 0)
        let indices = pieces.indices.dropLast().filter {
            pieces[$0].hasSuffix(name) && pieces[$0 + 1].first?.isNumber == true
        }
        let chosen = isOne ? [indices[number(below: indices.count)]] : indices
        let replaced = pieces.indices.map { index in
            chosen.contains(index - 1) ? "\(new)\(pieces[index].drop { $0.isNumber })" : String(pieces[index])
        }
        return replaced.joined(separator: ":").bytes
    }

    mutating func extreme() -> Int64 {
        let numbers: [Int64] = [
            .max, .max - 1, .min, .min + 1, 0, 1, -1, 2, 1 << 53, 1 << 52, 1 << 31, 1 << 32, -(1 << 31),
            1_700_000_000_000,
            .max / 1000, .max - 1_700_000_000_000, .min + 1_700_000_000_000, 253_402_300_800_000,
        ]
        return number(below: 4) == 0 ? Int64(bitPattern: random.next()) : numbers[number(below: numbers.count)]
    }
}
