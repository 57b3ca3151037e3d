public import BusinessLogic

/// Sends and checks the code of a session.
///
/// The pages that use it differ in their messages, and in what a right code does.
public struct CodeRequest {
    private let code: Shared<PendingCode?>
    private let accounts: any AccountManaging
    private let clock: any WallClock
    private let identity: (any Identity)?

    /// Sends and checks the code of a session with those collaborators.
    ///
    /// - Parameters:
    ///   - code: the code that the session waits for.
    ///   - accounts: sends and checks codes. By default, no code is right.
    ///   - clock: returns the time, by which codes expire.
    ///   - identity: the client.
    public init(
        code: Shared<PendingCode?>,
        accounts: any AccountManaging = NoAccounts(),
        clock: any WallClock,
        identity: (any Identity)?
    ) {
        self.code = code
        self.accounts = accounts
        self.clock = clock
        self.identity = identity
    }

    enum Result {
        /// It is the one that was sent to that address.
        case right(PendingCode)
        /// It is another one, or the session waits for none.
        case wrong
        /// It is the last wrong one, or came after that.
        case exhausted
    }

    /// `nil` if the code that the session waits for has expired.
    var pending: PendingCode? { code.value.flatMap { clock.now < $0.expires ? $0 : nil } }

    /// Replaces a code that was sent before. Returns `false` if nothing was sent, because too many wrong codes were entered a short time ago.
    func send(_ purpose: PendingCode.Purpose, to email: String, signup: String? = nil) async throws -> Bool {
        if pending?.isExhausted == true { return false }
        keep(try await accounts.sendCode(purpose, to: email, for: client), purpose, email: email, signup: signup)
        return true
    }

    /// Waits for a code that was sent, by its hash, in place of one before. The wrong codes that were entered a short time ago still count,
    /// whatever code was sent then.
    func keep(_ hash: String, _ purpose: PendingCode.Purpose, email: String, signup: String?) {
        let attempts = pending?.attempts ?? 0
        let now = clock.now
        code.value = PendingCode(purpose, email: email, hash: hash, signup: signup, sent: now, attempts: attempts)
    }

    /// Counts the code, as the user typed it, if it is wrong. White space in it is ignored. The purposes are what it may be for.
    func check(_ typed: String, for purposes: PendingCode.Purpose...) async throws -> Result {
        guard var pending, purposes.contains(pending.purpose) else { return .wrong }
        if pending.isExhausted { return .exhausted }
        let digits = String(typed.filter { !$0.isWhitespace })
        if try await accounts.isRight(digits, hash: pending.hash, for: client) { return .right(pending) }
        pending.attempts += 1
        code.value = pending
        return pending.isExhausted ? .exhausted : .wrong
    }

    /// The code has been used.
    func use() { code.value = nil }

    var client: ClientContext { identity?.client ?? ClientContext() }
}
