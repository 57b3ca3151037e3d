public import BusinessLogic
public import CoreMetrics
public import Logging
public import RateLimiting

/// The settings of a service.
public struct ServiceConfiguration: Sendable {
    /// The title of the OpenAPI document.
    public var title = "Understudy"
    /// The version of the OpenAPI document.
    public var version = UnderstudyService.version
    /// The limits on the number, the size and the lifetime of sessions.
    public var sessions = SessionLimits()
    /// Whether clients use https. If so, cookies are `Secure`, and the session's cookie is named `__Host-session`.
    public var isPublicAddressSecure = false
    /// The path below which clients reach the service; empty by default. `/livez` and `/readyz` also work without it.
    ///
    /// If it is not empty, browsers send the session's cookie only to paths below it. Over https, the cookie is then named
    /// `__Secure-session`, because `__Host-session` is for all paths.
    public var pathPrefix = PathPrefix()
    /// The maximum number of waiting events of one session. Further events get the problem `overloaded`.
    public var maximumWaitingEvents = 256
    /// The other sites whose pages may use the service from a browser.
    public var allowedOrigins = AllowedOrigins()
    /// The maximum rate of requests from one address, except `/livez` and `/readyz`; `nil` for no limit.
    public var requests: Rate? = Rate(1200, per: .seconds(60))
    /// Whether the limits on requests and sessions from one address apply to this machine's own addresses.
    public var limitsLoopback = false
    /// The rules that `POST /validate` applies in addition to those of the pages. No two rules may have the same name.
    public var rules: [ValidationRule] = []
    /// Creates a token for the device on which a user has logged in, to replace the client's current token, if any. On a known
    /// device, the user can log in even while others guess the password. By default, devices get no tokens.
    ///
    /// A browser receives the token as the cookie `device`, a bearer client as `deviceToken` in the login's response. A token has
    /// 1 to 256 visible ASCII characters without `;`. If this returns `nil` or throws, the device gets no token.
    public var issueDeviceToken: (@Sendable (User, ClientContext) async throws -> String?)?
    /// Called when a client ends a session in which a user is logged in (`DELETE /session`). The service calls it on an event
    /// loop: it must not block.
    public var onLogout: @Sendable (ClientContext) -> Void = { _ in }
    /// The folder for recordings; `nil` to record no sessions.
    public var recording: RecordingFolder?
    /// Logs a line for each request at the level `info`, or `debug` for `/livez` and `/readyz`; `nil` for no access log.
    public var accessLogger: Logger?
    /// Creates the metrics. The default is the factory with which swift-metrics was bootstrapped.
    public var metrics: any MetricsFactory = MetricsSystem.factory
    /// The clock for the expiry of sessions and for limits on requests.
    public var clock: any WallClock = SystemClock()

    /// Creates the default settings.
    public init() {}
}
