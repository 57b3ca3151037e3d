/// The account or the names for which a store counts failed logins, or mails that were sent.
public enum ThrottleKey: Hashable, Sendable {
    /// An account.
    case account(AccountID)
    /// Names without an account, by a hash from 0 to 65,535: enough that few names share a count, and few enough that a
    /// client cannot fill the store.
    case unknownName(UInt16)
    /// The codes that were sent to addresses, by the same hash, whether an account has the address or not: otherwise, a client could find
    /// out whether one has.
    case codes(UInt16)
    /// The attempts to enter a code that was sent, by a hash of its salted hash, from 0 to 65,535, so that a client cannot fill the store.
    case codeAttempts(UInt16)
    /// The mails that have informed the owner of an account about changes: of the password or the address, or others.
    case notices(AccountID, ofAccess: Bool)
    /// The codes of a second factor that were entered for an account, on devices that it knows, or on others.
    case secondFactor(AccountID, isKnownDevice: Bool)

    package static func all(of account: AccountID) -> [ThrottleKey] {
        logins(of: account) + [.notices(account, ofAccess: true), .notices(account, ofAccess: false)]
    }

    /// The keys by which logins of an account are limited.
    static func logins(of account: AccountID) -> [ThrottleKey] {
        [.account(account), .secondFactor(account, isKnownDevice: true), .secondFactor(account, isKnownDevice: false)]
    }

    /// The key as text, for a store: `account:ID` or `stranger:NUMBER`.
    public var text: String {
        switch self {
        case .account(let id): "account:\(id)"
        // Existing databases contain this prefix.
        case .unknownName(let hash): "stranger:\(hash)"
        case .codes(let hash): "codes:\(hash)"
        case .codeAttempts(let hash): "attempts of code:\(hash)"
        case .notices(let id, ofAccess: true): "notices of access:\(id)"
        case .notices(let id, ofAccess: false): "notices:\(id)"
        case .secondFactor(let id, isKnownDevice: true): "second factor on a known device:\(id)"
        case .secondFactor(let id, isKnownDevice: false): "second factor:\(id)"
        }
    }

    /// The key of a name without an account, by its FNV-1a hash, so that it is the same on every machine.
    static func unknownName(_ name: AccountKey) -> ThrottleKey { .unknownName(hash(of: name.bytes)) }

    /// The key of a code that was sent, by its salted hash.
    static func codeAttempts(_ hash: String) -> ThrottleKey { .codeAttempts(self.hash(of: Array(hash.utf8))) }

    /// The key of the codes that are sent to an address.
    static func codes(to email: AccountKey) -> ThrottleKey { .codes(hash(of: email.bytes)) }

    private static func hash(of bytes: [UInt8]) -> UInt16 {
        var hash: UInt32 = 2_166_136_261
        for byte in bytes { hash = (hash ^ UInt32(byte)) &* 16_777_619 }
        return UInt16(truncatingIfNeeded: hash ^ hash >> 16)
    }
}
