public import BusinessLogic
import RateLimiting
public import SessionStorage
import Synchronization

/// Checks credentials, creates accounts and saves what users register, in your store. It is a collaborator of the bundled
/// controllers.
///
/// Its methods may be called from any number of tasks at the same time.
public final class AccountService: Sendable {
    typealias Requester = PasswordHasher.Requester

    let store: any AccountStore
    let hasher: PasswordHasher
    let clock: any WallClock
    let audit: any AuditLog
    let mail: AccountMails?
    let siteName: String
    let turns = LoginTurns()
    private let currentRateLimits: Mutex<AccountRateLimits>
    private let connectedRelyingParty = Mutex<RelyingParty?>(nil)
    private let connectedSessions = Mutex<(any UserSessions)?>(nil)

    /// A service with that store and those limits.
    ///
    /// - Parameters:
    ///   - store: stores the accounts, their devices and the counts of failed logins.
    ///   - hasher: hashes and verifies passwords.
    ///   - clock: returns the time for limits, delays and the expiry of devices.
    ///   - audit: records what happens to accounts.
    ///   - rateLimits: limit what one address does with accounts.
    ///   - mail: sends mails to users; `nil` if none are sent, so that no code is right.
    ///   - siteName: the name that authenticator apps show.
    public init(
        _ store: any AccountStore,
        hasher: PasswordHasher,
        clock: any WallClock,
        audit: any AuditLog = MemoryAuditLog(),
        rateLimits: AccountRateLimits = AccountRateLimits(),
        mail: AccountMails? = nil,
        siteName: String = "Understudy"
    ) {
        (self.store, self.hasher, self.clock, self.audit) = (store, hasher, clock, audit)
        currentRateLimits = Mutex(rateLimits)
        self.mail = mail
        self.siteName = siteName
    }

    package var rateLimits: AccountRateLimits { currentRateLimits.withLock { $0 } }

    /// Applies other limits from now on. What has been counted for an address still counts.
    ///
    /// Do not call it while another call runs.
    public func reload(_ limits: AccountRateLimits) {
        let limits = limits.replacing(rateLimits, at: clock.steady)
        currentRateLimits.withLock { $0 = limits }
    }

    /// The sessions that the page `account` shows and ends; `nil` before ``connect(to:)``.
    var sessions: (any UserSessions)? { connectedSessions.withLock { $0 } }

    /// Lets users see and end their sessions of a service. Call it when the service has been created, because its pages need this object first.
    public func connect(to sessions: any UserSessions) {
        connectedSessions.withLock { $0 = sessions }
    }

    /// The site to which passkeys are bound; `nil` if there can be none.
    var relyingParty: RelyingParty? { connectedRelyingParty.withLock { $0 } }

    /// Lets users log in with passkeys that are bound to a site. Call it when the site's address is known.
    public func use(_ relyingParty: RelyingParty) {
        connectedRelyingParty.withLock { $0 = relyingParty }
    }

    /// Counts what a client does against the limit of its address.
    func take(_ limit: AddressLimit, _ client: ClientContext) throws(CollaboratorError) {
        if let delay = limit.take(client.address, isForwarded: client.isForwarded, at: clock.steady) {
            throw .tooManyRequests(retryAfter: delay)
        }
    }

    /// Reverses ``take(_:_:)``.
    func giveBack(_ limit: AddressLimit, _ client: ClientContext) {
        limit.giveBack(client.address, isForwarded: client.isForwarded)
    }

    /// Records a logout in the audit log. Call it after the commit.
    @Sendable public func recordLogout(of client: ClientContext) async {
        await audit.record(
            AuditEvent(.logout, at: clock.now, account: client.user?.id.map { AccountID($0) }, client: client)
        )
    }

    /// Records a change by a user, or in place of one, if the event's changes are committed.
    func record(change: AuditEvent.Change, _ account: AccountID, _ client: ClientContext = ClientContext()) async {
        await record(.accountChanged, account, reason: change.rawValue, client)
    }

    /// Records what happened: a failed login and a wrong code at once, anything else if the event's changes are committed.
    func record(
        _ kind: AuditEvent.Kind,
        _ account: AccountID? = nil,
        reason: String? = nil,
        agent: String? = nil,
        _ client: ClientContext = ClientContext()
    ) async {
        var event = AuditEvent(kind, at: clock.now, account: account, reason: reason, client: client)
        event.agent = agent
        if kind == .loginFailed || kind == .codeFailed { return await audit.record(event) }
        await audit.recordAtCommit(event)
    }
}
