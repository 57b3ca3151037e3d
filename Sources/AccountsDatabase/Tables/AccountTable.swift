import Accounts
import BusinessLogic
import FoundationEssentials

enum AccountTable {
    static let description = TableDescription(
        name: "account",
        columns: [
            "id", "name", "email", "email_key", "username", "username_key", "user_id", "contact_email", "password_hash",
            "created", "is_disabled", "email_confirmed", "factors", "note", "roles",
        ]
    )

    static func insert(_ account: Account) throws -> [SQLStep] {
        [SQLStep(insertStatement, try values(account).map(\.sqlValue))] + PasskeyTable.insert(of: account)
    }

    /// Updates the account with the same ID. `found` is the account as it is in the table.
    static func update(_ found: Account, to account: Account) throws -> [SQLStep] {
        let passkeys =
            found.passkeyKeys == account.passkeyKeys
            ? [] : [PasskeyTable.delete(account.id)] + PasskeyTable.insert(of: account)
        return [SQLStep(updateStatement, try values(account).map(\.sqlValue))] + passkeys
    }

    /// For each value of an account that at most one account has, in the order in which all databases check them: the error if another account has
    /// it, and what selects the accounts with it.
    static func uniqueValues(of account: Account) -> [(conflict: AccountConflict, select: SQLStep)] {
        [
            (.email, selectByEmail(AccountKey(account.email))), (.email, selectByID(account.id)),
            (.username, selectByUsername(AccountKey(account.username))),
        ]
            + (account.userID.map { [(.userID, selectByUserID($0))] } ?? [])
            + account.passkeyKeys.map { (.passkey, selectByPasskey($0)) }
    }

    /// The accounts in the order of the keys of their usernames.
    static func select(after key: [UInt8]?, limit: Int) -> SQLStep {
        // PostgreSQL rejects a negative limit, and SQLite treats it as no limit.
        let limit = max(0, limit)
        return key.map { selectAfter(limit, $0) } ?? selectFirst(limit)
    }

    /// The accounts of which the username, the email address or the ID contains a text, in any case, in the order of the keys of their usernames.
    static func select(matching text: String, after key: [UInt8]?, limit: Int) -> SQLStep {
        let (limit, part) = (max(0, limit), AccountKey(text))
        return key.map { selectMatchingAfter(limit, $0, part) } ?? selectFirstMatching(limit, part)
    }

    /// Reads the columns of the ``description``, with the bytes of the username's key.
    static func account(_ row: SQLRow) throws -> Account {
        var account = Account(
            id: AccountID(try row.text(0)),
            name: try row.text(1),
            email: try row.text(2),
            username: try row.text(4),
            userID: try row.optionalText(6),
            contactEmail: try row.optionalText(7),
            passwordHash: try row.text(8),
            created: try row.time(9),
            isDisabled: try row.boolean(10),
            emailConfirmed: try row.optionalTime(11),
            factors: try row.optionalText(12).map(factors) ?? Factors(),
            note: try row.optionalText(13)
        )
        let key = try row.bytes(5)
        if key != account.usernameKey { account.damagedKey = key }
        if let json = try row.optionalText(14) {
            let roles = try? JSONDecoder().decode([String].self, from: Data(json.utf8))
            account.rolesAreDamaged = roles.map { (try? Role.check($0)) == nil } ?? true
            if let roles, !account.rolesAreDamaged { account.roles = roles }
        }
        return account
    }

    /// In the order of the columns of the ``description``.
    private static func values(_ account: Account) throws -> [any SQLParameter] {
        [
            account.id, account.name, account.email, AccountKey(account.email), account.username,
            AccountKey(account.username), account.userID, account.contactEmail, account.passwordHash, account.created,
            account.isDisabled, account.emailConfirmed, try json(account.factors), account.note, try roles(account),
        ]
    }

    /// - Returns: `nil` for no roles, as most accounts have.
    private static func roles(_ account: Account) throws -> String? {
        // Not an array, so that they stay damaged until an operator sets them.
        if account.rolesAreDamaged { return "damaged" }
        return account.roles.isEmpty ? nil : String(decoding: try JSONEncoder().encode(account.roles), as: UTF8.self)
    }

    /// - Returns: `nil` for no factors, as most accounts have.
    private static func json(_ factors: Factors) throws -> String? {
        if factors == Factors() { return nil }
        return String(decoding: try JSONEncoder().encode(factors), as: UTF8.self)
    }

    private static func factors(_ json: String) -> Factors {
        (try? JSONDecoder().decode(Factors.self, from: Data(json.utf8))) ?? .damaged
    }

    private static let insertStatement = SQLStatement("insert account", description.insertion)

    private static let updateStatement = SQLStatement("update account", description.update)

    static let delete = SQLStatement("delete account", "DELETE FROM account WHERE id = $1")

    static let selectByID = select("account by id", "WHERE id = $1")

    static let selectByUsername = select("account by username", "WHERE \(hashed("username_key"))")

    static let selectByEmail = select("account by email", "WHERE \(hashed("email_key"))")

    static let selectByUserID = select("account by user id", "WHERE \(hashed("user_id"))")

    private static let selectByPasskey = select(
        "account by passkey",
        "WHERE id = (SELECT account_id FROM passkey WHERE key = $1)"
    )

    private static let selectFirst = select("first accounts", "ORDER BY \(order) LIMIT $1")

    private static let selectAfter = select("next accounts", "WHERE \(after) ORDER BY \(order) LIMIT $1")

    private static let selectFirstMatching = select(
        "first accounts that match",
        "WHERE \(contains("$2")) ORDER BY \(order) LIMIT $1"
    )

    private static let selectMatchingAfter = select(
        "next accounts that match",
        "WHERE \(after) AND \(contains("$3")) ORDER BY \(order) LIMIT $1"
    )

    // A damaged key can be no UTF-8, and a page after it must not begin with it again.
    private static let selection = description.selection([
        "username_key": "\(postgreSQL: "convert_to(username_key, 'UTF8')", sqlite: "CAST(username_key AS BLOB)")"
    ])

    /// The condition that the username is after the second parameter.
    private static let after: SQLText = """
        \(postgreSQL: "left(username_key, 256) >= left($2::text, 256) AND ")\
        username_key > \(postgreSQL: "$2", sqlite: "CAST(?2 AS TEXT)")
        """

    /// The condition that a name or the ID contains a parameter. No character of it is a wildcard.
    private static func contains(_ parameter: SQLText) -> SQLText {
        let position: SQLText = "\(postgreSQL: "strpos", sqlite: "instr")"
        return """
            (\(position)(username_key, \(parameter)) > 0 OR \(position)(email_key, \(parameter)) > 0
                OR \(position)(id, \(parameter)) > 0)
            """
    }

    /// Reads an account, and locks it until the end of the transaction.
    static let lock = select("lock account", "WHERE id = $1\(postgreSQL: " FOR UPDATE")")

    /// The condition that a column has the value of the first parameter. PostgreSQL's indexes contain hashes.
    private static func hashed(_ column: String) -> SQLText {
        "\(postgreSQL: "text_hash(\(column)) = text_hash($1)", sqlite: "\(column) = ?1")"
    }

    // PostgreSQL's index on the first 256 code points finds the page; accounts with the same ones are sorted.
    private static let order: SQLText =
        "\(postgreSQL: "left(username_key, 256), ")username_key"

    private static func select(_ name: String, _ condition: SQLText) -> SQLStatement {
        SQLStatement(name, "\(selection) \(condition)")
    }
}

/// The SQL of the table `passkey`, whose rows end with their account.
enum PasskeyTable {
    static let description = TableDescription(name: "passkey", columns: ["key", "account_id"])

    static func insert(of account: Account) -> [SQLStep] { account.passkeyKeys.map { insertStatement($0, account.id) } }

    private static let insertStatement = SQLStatement("insert passkey", description.insertion)

    static let delete = SQLStatement("delete passkeys of account", "DELETE FROM passkey WHERE account_id = $1")
}
