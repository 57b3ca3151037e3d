internal import Accounts
internal import BusinessLogic
internal import GRDB

/// The SQL of the table `account`.
struct AccountTable {
    let db: Database

    /// Adds an account.
    ///
    /// - Throws: `AccountConflict`.
    func insert(_ account: Account) throws {
        let statement = try db.cachedStatement(
            sql: """
                INSERT INTO account (
                    name, email, email_key, username, username_key, user_id, contact_email, password_hash, is_disabled,
                    id, created
                ) VALUES (
                    CAST(? AS TEXT), CAST(? AS TEXT), CAST(? AS TEXT), CAST(? AS TEXT), CAST(? AS TEXT),
                    CAST(? AS TEXT), CAST(? AS TEXT), CAST(? AS TEXT), ?, CAST(? AS TEXT), ?
                )
                """
        )
        let values = Self.changeable(account) + [account.id.text.bound, account.created.milliseconds.databaseValue]
        try execute(statement, values, for: account, replacing: nil)
    }

    /// Updates an account.
    ///
    /// - Throws: `AccountConflict`.
    func update(_ account: Account) throws {
        let statement = try db.cachedStatement(
            sql: """
                UPDATE account SET
                    name = CAST(? AS TEXT), email = CAST(? AS TEXT), email_key = CAST(? AS TEXT),
                    username = CAST(? AS TEXT), username_key = CAST(? AS TEXT), user_id = CAST(? AS TEXT),
                    contact_email = CAST(? AS TEXT), password_hash = CAST(? AS TEXT), is_disabled = ?
                WHERE id = CAST(? AS TEXT)
                """
        )
        try execute(statement, Self.changeable(account) + [account.id.text.bound], for: account, replacing: account.id)
    }

    /// Deletes an account and its failed logins.
    ///
    /// - Returns: `false` if there is no such account.
    func delete(_ id: AccountID) throws -> Bool {
        try db.execute(sql: "DELETE FROM account WHERE id = CAST(? AS TEXT)", arguments: [id.text.bound])
        guard db.changesCount > 0 else { return false }
        try ThrottleTable(db: db).delete(.account(id))
        return true
    }

    /// Whether the account exists and is not disabled.
    func isEnabled(_ id: AccountID) throws -> Bool {
        let statement = try db.cachedStatement(
            sql: "SELECT EXISTS (SELECT 1 FROM account WHERE id = CAST(? AS TEXT) AND NOT is_disabled)"
        )
        return try Bool.fetchOne(statement, arguments: [id.text.bound]) ?? false
    }

    /// Records that the sessions of an account are revoked, and deletes its devices and sessions.
    func revokeSessions(_ id: AccountID) throws {
        try DeviceTable(db: db).delete(of: id)
        try SavedSessionTable(db: db).delete(of: id)
        try SharedSessionTable(db: db).delete(of: id)
        let arguments: StatementArguments = [id.text.bound]
        // Not by SQLite, which finds no number after a damaged one.
        let number =
            try Int.fetchOne(
                db,
                sql: """
                    SELECT 1 + max(
                        coalesce((SELECT max(seq) FROM sqlite_sequence WHERE name = 'session_ending' AND seq <= :max), 0),
                        coalesce((SELECT max(number) FROM session_ending WHERE number <= :max), 0)
                    )
                    """,
                arguments: ["max": SessionRevocation.maximumNumber]
            ) ?? 1
        try db.execute(sql: "DELETE FROM session_ending WHERE account_id = CAST(? AS TEXT)", arguments: arguments)
        try db.execute(
            sql: "INSERT INTO session_ending (number, account_id) VALUES (?, CAST(? AS TEXT))",
            arguments: [max(1, number), id.text.bound]
        )
    }

    /// The accounts that satisfy a condition.
    func select(_ condition: String, _ arguments: StatementArguments) throws -> [Account] {
        let statement = try db.cachedStatement(
            sql: """
                SELECT
                    CAST(id AS BLOB), CAST(name AS BLOB), CAST(email AS BLOB), CAST(username AS BLOB),
                    CAST(user_id AS BLOB), CAST(contact_email AS BLOB), CAST(password_hash AS BLOB), created, is_disabled
                FROM account WHERE \(condition)
                """
        )
        return try Row.fetchAll(statement, arguments: arguments).map(Self.account)
    }

    private static func account(_ row: Row) throws -> Account {
        Account(
            id: AccountID(try row.text(0)),
            name: try row.text(1),
            email: try row.text(2),
            username: try row.text(3),
            userID: row.optionalText(4),
            contactEmail: row.optionalText(5),
            passwordHash: try row.text(6),
            created: Timestamp(milliseconds: try row.number(7)),
            isDisabled: try row.number(8) != 0
        )
    }

    private static func changeable(_ account: Account) -> [DatabaseValue] {
        [
            account.name.bound,
            account.email.bound,
            AccountKey(account.email).text.bound,
            account.username.bound,
            AccountKey(account.username).text.bound,
            account.userID?.bound ?? .null,
            account.contactEmail?.bound ?? .null,
            account.passwordHash.bound,
            account.isDisabled.databaseValue,
        ]
    }

    /// Stores the keys of all accounts again, because an earlier version computed other keys.
    ///
    /// - Throws: `SQLiteDatabaseError.sameName` if two accounts would have the same key.
    func updateKeys() throws {
        // The keys of names in ASCII have not changed.
        let names = ["email", "username"].map { "length(CAST(\($0) AS BLOB)) <> length(\($0))" }
        for account in try select(names.joined(separator: " OR "), []) {
            do {
                try update(account)
            } catch is AccountConflict {
                throw SQLiteDatabaseError.sameName(account: account.id)
            }
        }
    }

    private func execute(
        _ statement: Statement,
        _ values: [DatabaseValue],
        for account: Account,
        replacing id: AccountID?
    ) throws {
        do {
            try statement.execute(arguments: StatementArguments(values))
        } catch let error as DatabaseError where error.resultCode == .SQLITE_CONSTRAINT {
            throw try conflict(of: account, replacing: id) ?? error
        }
    }

    /// The conflict of an account with others in the table.
    func conflict(of account: Account, replacing id: AccountID?) throws -> AccountConflict? {
        try AccountConflict.of(account) { property in
            let (column, value) =
                switch property {
                case .id(let id): ("id", id.text)
                case .email(let email): ("email_key", email.text)
                case .username(let username): ("username_key", username.text)
                case .userID(let userID): ("user_id", userID)
                }
            return try Bool.fetchOne(
                db,
                sql:
                    "SELECT EXISTS (SELECT 1 FROM account WHERE \(column) = CAST(? AS TEXT) AND id IS NOT CAST(? AS TEXT))",
                arguments: [value.bound, id?.text.bound ?? .null]
            ) ?? false
        }
    }
}
