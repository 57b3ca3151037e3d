internal import Accounts
internal import BusinessLogic
internal import PostgreSQL

/// The SQL of the table `account`.
enum AccountTable {
    static func insert(_ account: Account) -> PostgreSQLStep { PostgreSQLStep(insertStatement, values(account)) }

    /// Updates the account with the same ID.
    static func update(_ account: Account) -> PostgreSQLStep { PostgreSQLStep(updateStatement, values(account)) }

    static func delete(_ id: AccountID) -> PostgreSQLStep { deleteStatement(.utf8(id.text)) }

    static func select(_ id: AccountID) -> PostgreSQLStep { selectByID(.utf8(id.text)) }

    static func select(username: AccountKey) -> PostgreSQLStep { selectByUsername(.utf8(username.text)) }

    static func select(email: AccountKey) -> PostgreSQLStep { selectByEmail(.utf8(email.text)) }

    static func select(userID: String) -> PostgreSQLStep { selectByUserID(.utf8(userID)) }

    /// The accounts in the order of the keys of their usernames.
    static func select(after username: AccountKey?, limit: Int) -> PostgreSQLStep {
        // PostgreSQL rejects a negative limit.
        let limit = PostgreSQLValue.number(max(0, limit))
        return username.map { selectAfter(limit, .utf8($0.text)) } ?? selectFirst(limit)
    }

    /// The accounts in the order of their IDs.
    static func select(afterID id: AccountID?, limit: Int) -> PostgreSQLStep {
        selectAfterID(.number(limit), .utf8(id?.text ?? ""))
    }

    /// Reads an account, and locks it until the end of the transaction.
    static func lock(_ id: AccountID) -> PostgreSQLStep { lockStatement(.utf8(id.text)) }

    /// Reads the accounts of a result.
    static func accounts(_ result: PostgreSQLResult) throws -> [Account] { try result.map(account) }

    private static func account(_ row: PostgreSQLRow) throws -> Account {
        Account(
            id: AccountID(try row.utf8(0)),
            name: try row.utf8(1),
            email: try row.utf8(2),
            username: try row.utf8(3),
            userID: try row.optionalUTF8(4),
            contactEmail: try row.optionalUTF8(5),
            passwordHash: try row.utf8(6),
            created: try row.time(7),
            isDisabled: try row.boolean(8)
        )
    }

    private static func values(_ account: Account) -> [PostgreSQLValue] {
        [
            .utf8(account.id.text),
            .utf8(account.name),
            .utf8(account.email),
            .utf8(AccountKey(account.email).text),
            .utf8(account.username),
            .utf8(AccountKey(account.username).text),
            .utf8(account.userID),
            .utf8(account.contactEmail),
            .utf8(account.passwordHash),
            .time(account.created),
            .boolean(account.isDisabled),
        ]
    }

    private static let insertStatement = PostgreSQLStatement(
        name: "insert account",
        sql: """
            INSERT INTO account (
                id, name, email, email_key, username, username_key, user_id, contact_email, password_hash, created, is_disabled
            ) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
            """
    )

    private static let updateStatement = PostgreSQLStatement(
        name: "update account",
        sql: """
            UPDATE account SET
                name = $2, email = $3, email_key = $4, username = $5, username_key = $6, user_id = $7, contact_email = $8,
                password_hash = $9, created = $10, is_disabled = $11
            WHERE id = $1
            """
    )

    private static let deleteStatement = PostgreSQLStatement(
        name: "delete account",
        sql: "DELETE FROM account WHERE id = $1"
    )

    private static let selectByID = selectStatement("account by id", "WHERE id = $1")

    private static let selectByUsername = selectStatement(
        "account by username",
        "WHERE sha256(username_key) = sha256($1)"
    )

    private static let selectByEmail = selectStatement("account by email", "WHERE sha256(email_key) = sha256($1)")

    private static let selectByUserID = selectStatement("account by user id", "WHERE sha256(user_id) = sha256($1)")

    // The index on the first 256 bytes finds the page; accounts with the same first bytes are sorted.
    private static let selectFirst = selectStatement(
        "first accounts",
        "ORDER BY substring(username_key FROM 1 FOR 256), username_key LIMIT $1"
    )

    private static let selectAfter = selectStatement(
        "next accounts",
        """
        WHERE substring(username_key FROM 1 FOR 256) >= substring($2::bytea FROM 1 FOR 256) AND username_key > $2
        ORDER BY substring(username_key FROM 1 FOR 256), username_key LIMIT $1
        """
    )

    private static let selectAfterID = selectStatement("accounts after id", "WHERE id > $2 ORDER BY id LIMIT $1")

    private static let lockStatement = selectStatement("lock account", "WHERE id = $1 FOR UPDATE", isReadOnly: false)

    private static func selectStatement(
        _ name: String,
        _ condition: String,
        isReadOnly: Bool = true
    ) -> PostgreSQLStatement {
        PostgreSQLStatement(
            name: name,
            isReadOnly: isReadOnly,
            sql: """
                SELECT id, name, email, username, user_id, contact_email, password_hash, created, is_disabled
                FROM account \(condition)
                """
        )
    }
}

extension AccountConflict {
    /// The conflict because of which the server has rejected an account; `nil` for another error.
    init?(_ error: PostgreSQLError) {
        guard case .server(let error) = error, error.sqlState == "23505" else { return nil }
        switch error.constraint {
        case "account_pkey", "account_email": self = .email
        case "account_name": self = .username
        case "account_user_id": self = .userID
        default: return nil
        }
    }
}
