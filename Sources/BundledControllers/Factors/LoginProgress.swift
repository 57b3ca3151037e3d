public import BusinessLogic

/// How far a login of a session has come, and what it waits for: the pages `login`, `secondFactor` and `factors` share it.
public struct LoginProgress: Codable, Equatable, Sendable {
    /// The login whose password was right, and that a second factor must complete.
    var pending: PendingLogin?
    var challenge: PendingChallenge?
    var authenticatorApp: PendingSecret?
    var latest: LatestLogin?

    /// A session without a login.
    public init() {}
}

struct PendingChallenge: Codable, Equatable, Sendable {
    enum Purpose: String, Codable, Sendable {
        case registration, login, secondFactor
    }

    let purpose: Purpose
    /// In base64url.
    let challenge: String
    let expires: Timestamp

    /// WebAuthn section 15.1: at least 5 minutes.
    static let lifetime = Duration.seconds(600)
}

struct PendingSecret: Codable, Equatable, Sendable {
    let user: String
    let secret: String
    let expires: Timestamp

    static let lifetime = Duration.seconds(300)
}

struct LatestLogin: Codable, Equatable, Sendable {
    let user: String
    let time: Timestamp

    /// How long a login is fresh.
    static let freshness = Duration.seconds(300)
}

extension SessionValue where Content == LoginProgress {
    /// How far a login of the session has come.
    public static var loginProgress: SessionValue { SessionValue("loginProgress", LoginProgress()) }
}

/// The steps of a login, which the pages `login`, `secondFactor`, `verify` and `factors` share.
public struct LoginSteps {
    private let progress: Shared<LoginProgress>
    let clock: any WallClock
    private let identity: (any Identity)?

    /// The steps of a session's login.
    ///
    /// - Parameters:
    ///   - progress: what the pages of the session share.
    ///   - clock: returns the time, by which logins and challenges expire.
    ///   - identity: the client. It receives the user who has logged in.
    public init(progress: Shared<LoginProgress>, clock: any WallClock, identity: (any Identity)?) {
        self.progress = progress
        self.clock = clock
        self.identity = identity
    }

    var client: ClientContext { identity?.client ?? ClientContext() }

    var user: User? { identity?.user }

    /// What other logins have begun ends.
    func logIn(_ user: User) {
        identity?.user = user
        var progress = LoginProgress()
        // A user without an account has no factors to change.
        progress.latest = user.id.map { LatestLogin(user: $0, time: clock.now) }
        self.progress.value = progress
    }

    func logOut() { identity?.user = nil }

    /// Follows what a user's account says now. Only of another account, that is a login.
    func follow(_ user: User) {
        if let id = user.id, id == self.user?.id { identity?.user = user } else { logIn(user) }
    }

    /// Whether the user has logged in during the last five minutes. A login in the future, from a clock that was ahead, is not fresh.
    var isFresh: Bool {
        guard let latest = progress.value.latest, latest.user == identity?.user?.id else { return false }
        let now = clock.now
        return latest.time <= now && now < latest.time + LatestLogin.freshness
    }

    // MARK: The second factor

    /// A second factor must complete the login.
    func begin(_ user: User, proof: String) {
        progress.value.pending = PendingLogin(user: user, proof: proof, expires: clock.now + PendingLogin.lifetime)
        progress.value.challenge = nil
    }

    /// `nil` without a login that a second factor must complete, or if it took too long.
    var pending: PendingLogin? { progress.value.pending.flatMap { clock.now < $0.expires ? $0 : nil } }

    /// The password must be entered again.
    func abandon() {
        progress.value.pending = nil
        progress.value.challenge = nil
    }

    // MARK: Challenges

    /// Keeps the challenge of the options for a client, in place of one before.
    func keep(challengeOf options: Value, for purpose: PendingChallenge.Purpose) {
        progress.value.challenge = PendingChallenge(
            purpose: purpose,
            challenge: options["challenge"]?.string ?? "",
            expires: clock.now + PendingChallenge.lifetime
        )
    }

    /// A challenge works once; `nil` without one for that purpose, or if it took too long.
    func takeChallenge(for purpose: PendingChallenge.Purpose) -> String? {
        guard let challenge = progress.value.challenge else { return nil }
        progress.value.challenge = nil
        return challenge.purpose == purpose && clock.now < challenge.expires ? challenge.challenge : nil
    }

    // MARK: Secrets of authenticator apps

    /// The user must confirm the app.
    func keep(secret: String) {
        guard let user = identity?.user?.id else { return }
        progress.value.authenticatorApp = PendingSecret(
            user: user,
            secret: secret,
            expires: clock.now + PendingSecret.lifetime
        )
    }

    /// When secrets that are shown now are hidden.
    var secretsEnd: Timestamp { clock.now + PendingSecret.lifetime }

    /// `nil` without an app that the user must confirm, or if it took too long.
    var secret: String? {
        progress.value.authenticatorApp.flatMap {
            $0.user == identity?.user?.id && clock.now < $0.expires ? $0.secret : nil
        }
    }

    /// The app was confirmed.
    func useSecret() { progress.value.authenticatorApp = nil }
}
