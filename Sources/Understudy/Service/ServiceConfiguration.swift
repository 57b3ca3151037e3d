public import BusinessLogic
public import CoreMetrics
public import Logging
public import RateLimiting

/// How a service treats its clients.
public struct ServiceConfiguration: Sendable {
    /// The title of the OpenAPI document.
    public var title = "Understudy"
    /// The version of the OpenAPI document.
    public var version = UnderstudyService.version
    /// How long sessions live, and how many there may be.
    public var sessions = SessionLimits()
    /// Whether clients reach the service by https: then the session's cookie is `__Host-session`, and `Secure`.
    public var isPublicAddressSecure = false
    /// The path below which everything stands that the service answers, as clients see it; none unless set. `/livez` and
    /// `/readyz` are answered without it as well. The session's cookie is for paths below it alone; over https it is
    /// `__Secure-session` then, since `__Host-session` is for all paths.
    public var pathPrefix = PathPrefix()
    /// How many events of one session may wait for their turn; more are refused as `overloaded`.
    public var maximumWaitingEvents = 256
    /// The other sites whose pages may use the service from a browser.
    public var allowedOrigins = AllowedOrigins()
    /// How many requests may come from one address, over everything but `/livez` and `/readyz`; `nil` for no limit.
    public var requests: Rate? = Rate(1200, per: .seconds(60))
    /// Whether requests from this machine's own addresses are limited, too.
    public var limitsLoopback = false
    /// The rules that `POST /validate` applies in addition to those of the pages. No two rules may have the same name.
    public var rules: [ValidationRule] = []
    /// Makes a token for the device on which a user has logged in, instead of the one that the client has, if any: from a
    /// known device, the user can log in while others guess the password. No device gets a token unless this is set.
    ///
    /// A browser gets it as the cookie `device`, a bearer client as `deviceToken` in the login's response. It must be 1 to
    /// 256 visible ASCII characters without `;`. If it is `nil`, or this throws, the device gets none.
    public var issueDeviceToken: (@Sendable (User, ClientContext) async throws -> String?)?
    /// Is told of everybody who logs out. Called on an event loop: must not block.
    public var onLogout: @Sendable (ClientContext) -> Void = { _ in }
    /// Where sessions are recorded; nowhere unless set.
    public var recording: RecordingFolder?
    /// Writes a line for each request, at the level `info`; nothing does unless it is set.
    public var accessLogger: Logger?
    /// Where to count and measure. What swift-metrics has been told to use, unless set.
    public var metrics: any MetricsFactory = MetricsSystem.factory
    /// Tells when sessions expire.
    public var clock: any WallClock = SystemClock()

    /// The defaults.
    public init() {}
}
