/// The account or the names for which a store counts failed logins.
public enum ThrottleKey: Hashable, Sendable {
    /// An account.
    case account(AccountID)
    /// Names without an account, by a hash from 0 to 65,535: enough that few names share a count, and few enough that a
    /// client cannot fill the store.
    case unknownName(UInt16)

    /// The key as text, for a store: `account:ID` or `stranger:NUMBER`.
    public var text: String {
        switch self {
        case .account(let id): "account:\(id)"
        // Existing databases contain this prefix.
        case .unknownName(let hash): "stranger:\(hash)"
        }
    }

    /// The key of a name without an account, by its FNV-1a hash, so that it is the same on every machine.
    static func unknownName(_ name: AccountKey) -> ThrottleKey {
        var hash: UInt32 = 2_166_136_261
        for byte in name.text.utf8 { hash = (hash ^ UInt32(byte)) &* 16_777_619 }
        return .unknownName(UInt16(truncatingIfNeeded: hash ^ hash >> 16))
    }
}
