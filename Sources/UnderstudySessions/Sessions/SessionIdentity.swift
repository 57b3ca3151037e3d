package import BusinessLogic
package import HTTPMessages
package import UnderstudyPages

/// Use it only while holding the session's lock.
package final class SessionIdentity: Identity {
    private var current: LoggedIn
    private var previous = Previous.same
    /// `nil` between events.
    package var origin: RequestOrigin?

    /// On the heap, because few sessions have a user.
    private indirect enum LoggedIn {
        case none
        case user(User, Browser?)

        init(_ user: User?, _ browser: Browser?) { self = if let user { .user(user, browser) } else { .none } }

        var user: User? { if case .user(let user, _) = self { user } else { nil } }
    }

    /// What was before the event, if the event has set the user.
    private enum Previous {
        case same
        case loggedIn(LoggedIn)
    }

    package init(user: User?) {
        current = LoggedIn(user, nil)
    }

    /// It is not a login.
    package func restore(_ user: User?, _ browser: Browser? = nil) {
        current = LoggedIn(user, browser)
        previous = .same
    }

    package var user: User? {
        get { current.user }
        set {
            if case .same = previous { previous = .loggedIn(current) }
            // An update has no request.
            current = LoggedIn(newValue, origin.map(\.request.headers.browser) ?? browser)
        }
    }

    /// `nil` if the browser is not a common one.
    package var browser: Browser? { if case .user(_, let browser) = current { browser } else { nil } }

    package var client: ClientContext {
        guard let origin else { return ClientContext(user: user) }
        return ClientContext(
            user: user,
            address: origin.request.clientAddress,
            isForwarded: origin.request.isForwarded,
            deviceToken: origin.deviceToken,
            requestID: origin.request.id,
            idempotencyKey: origin.idempotencyKey,
            language: origin.language?.tag,
            session: origin.sessionID
        )
    }

    /// Logging in the same user again is a change.
    package var hasChanged: Bool {
        guard case .loggedIn(let previous) = previous else { return false }
        return user != nil || previous.user != nil
    }

    /// Whether the user who was logged in before the event is not any more: logged out, or replaced by another user.
    package var hasLoggedOut: Bool {
        guard case .loggedIn(.user(let user, _)) = previous else { return false }
        return self.user?.permanentName != user.permanentName
    }

    /// The client with the user who has logged out; `nil` if no user has.
    package var loggedOutClient: ClientContext? {
        guard hasLoggedOut, case .loggedIn(let previous) = previous else { return nil }
        var client = client
        client.user = previous.user
        return client
    }

    func rollBack() {
        guard case .loggedIn(let former) = previous else { return }
        (current, previous) = (former, .same)
    }

    package func beginEvent(from origin: RequestOrigin?) {
        self.origin = origin
        previous = .same
    }
}

/// The parts of a request that controllers and collaborators may read.
package class RequestOrigin {
    package let request: Request
    private let deviceCookieName: StaticString
    private let languages: Languages?

    package init(request: Request, deviceCookieName: StaticString, languages: Languages?) {
        self.request = request
        self.deviceCookieName = deviceCookieName
        self.languages = languages
    }

    /// `nil` if the service has no translations.
    package final lazy var language: Language? = languages?[request.headers]

    /// Identifies the effect of the request's event; `nil` if the request posts no event.
    var idempotencyKey: String? { nil }

    var sessionID: SessionID? { nil }

    /// The token of a device on which the user has logged in before, if the client sent one.
    final var deviceToken: String? { SessionCredential.deviceToken(request.headers, cookieName: deviceCookieName) }
}

extension User {
    /// The account's ID, or the name of a user without an account.
    fileprivate var permanentName: String { id ?? username }
}
