package import BusinessLogic
import MicroHTTP

/// Who is logged in to a session.
///
/// Used in the session's turn, as its controllers are.
package final class SessionIdentity: Identity {
    private var current: User?
    private var former = Former.same
    /// Where the event that is being handled came from; `nil` between events.
    var origin: RequestOrigin?

    /// Who was logged in before the event, if the event has set the user. On the heap, since hardly any event does.
    private indirect enum Former {
        case same
        case user(User?)
    }

    package init(user: User?) {
        current = user
    }

    package var user: User? {
        get { current }
        set {
            if case .same = former { former = .user(current) }
            current = newValue
        }
    }

    package var client: ClientContext {
        guard let origin else { return ClientContext(user: current) }
        return ClientContext(
            user: current,
            address: origin.request.clientAddress,
            isForwarded: origin.request.isForwarded,
            deviceToken: origin.deviceToken,
            requestID: origin.request.id
        )
    }

    /// Whether a user has logged in or out during the event, be it the same one again.
    var hasChanged: Bool {
        guard case .user(let former) = former else { return false }
        return current != nil || former != nil
    }

    /// Notes that an event is about to be handled.
    func beginEvent(from origin: RequestOrigin?) {
        self.origin = origin
        former = .same
    }
}

/// A request as far as controllers and their collaborators may know it.
package class RequestOrigin {
    let request: Request
    private let deviceCookieName: StaticString

    init(request: Request, deviceCookieName: StaticString) {
        self.request = request
        self.deviceCookieName = deviceCookieName
    }

    /// The token of a device on which the user has logged in before, if the client sent one.
    final var deviceToken: String? {
        SessionCredential.deviceToken(request.headers, cookieName: deviceCookieName)
    }
}
