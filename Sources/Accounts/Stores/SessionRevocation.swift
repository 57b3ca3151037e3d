/// A record that the sessions of an account are revoked: all sessions that were logged in before it must end.
public struct SessionRevocation: Equatable, Sendable {
    /// The sequence number in the store; the first is 1.
    public let number: Int
    /// The account.
    public let account: AccountID

    /// A revocation with that sequence number.
    public init(number: Int, account: AccountID) {
        self.number = number
        self.account = account
    }
}
