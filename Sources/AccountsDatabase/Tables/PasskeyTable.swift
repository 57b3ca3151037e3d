import Accounts

/// The SQL of the table `passkey`, whose rows end with their account.
enum PasskeyTable {
    static func insert(of account: Account) -> [SQLStep] {
        account.passkeyKeys.map { insertStatement(.bytes($0.bytes), .text(account.id.text)) }
    }

    static func delete(of account: AccountID) -> SQLStep { deleteStatement(.text(account.text)) }

    private static let insertStatement = SQLStatement("insert passkey", TableDescription.passkey.insertion)

    private static let deleteStatement = SQLStatement(
        "delete passkeys of account",
        "DELETE FROM passkey WHERE account_id = $1"
    )
}
