internal import Accounts

/// The SQL of the table `passkey`, whose rows end with their account.
enum PasskeyTable {
    static func insert(of account: Account) -> [SQLStep] {
        account.passkeyKeys.map { insertStatement($0, account.id) }
    }

    private static let insertStatement = SQLStatement("insert passkey", TableDescription.passkey.insertion)

    /// Deletes the passkeys of an account.
    static let delete = SQLStatement("delete passkeys of account", "DELETE FROM passkey WHERE account_id = $1")
}
