public import BusinessLogic
public import CoreMetrics
public import Logging
public import RateLimiting
public import SessionStorage
import UnderstudyPages
public import Tracing
package import UnderstudySessions

/// The settings of a service.
public struct ServiceConfiguration: Sendable {
    /// The title of the OpenAPI document.
    public var title = "Understudy"
    /// The version of the OpenAPI document.
    public var version = UnderstudyService.version
    /// What the service is for, as Markdown: the beginning of the OpenAPI document's description. `nil` to describe only how to use
    /// pages.
    public var description: String?
    /// The licence of the API in the OpenAPI document; `nil` for none.
    public var licence: Licence?
    /// The address that clients use, without a path, such as `https://example.com:8443`. The OpenAPI document contains it; `nil`
    /// for the address from which a client gets the document.
    public var publicOrigin: String?
    /// The texts of messages and the titles of problems in other languages than English. By default, all texts are in English.
    ///
    /// The service responds in the language that a request's `Accept-Language` asks for. The keys are the codes of messages, and
    /// `problem.CODE` for problems.
    public var translations = Translations()
    /// The limits on the number, the size and the lifetime of sessions.
    public var sessions = SessionLimits()
    /// Where sessions stay while the service is not running; `nil`, the default, if they end with the process. A ``UnderstudyServer``
    /// restores them before it listens, and saves them after it has stopped.
    public var sessionStore: (any SessionStore)?
    /// When sessions are written to the ``sessionStore``: when the server stops, which is the default, or after each event.
    public var sessionMode = SessionMode.memory
    /// Responds to browsers with HTML; `nil`, the default, if all clients get JSON.
    public var browserPages: (any BrowserPages)?
    /// Whether clients use https. If so, cookies are `Secure`, the session's cookie is named `__Host-session`, and an
    /// ``UnderstudyServer`` makes browsers use https only (`Strict-Transport-Security`).
    public var isPublicAddressSecure = false
    /// The path below which clients reach the service; empty by default. `/livez` and `/readyz` also work without it.
    ///
    /// If it is not empty, browsers send the session's cookie only to paths below it. Over https, the cookie is then named
    /// `__Secure-session`, because `__Host-session` is for all paths.
    public var pathPrefix = PathPrefix()
    /// JSON files below `/.well-known/`, by their names (RFC 8615), such as those by which apps find out that they belong to the site. They are
    /// outside of ``pathPrefix``.
    public var wellKnown: [String: Value] = [:]
    /// Receives a span for each request, and within it for the wait for the session, the controller, its collaborators, the database and hashed
    /// passwords. `nil`, the default, for the tracer with which you have bootstrapped `InstrumentationSystem` before you create the service, if
    /// any. A span contains no values of clients.
    ///
    /// A request continues the trace that its header names, in the form that the tracer reads, usually `traceparent` (W3C Trace Context). While
    /// a controller and its collaborators run, `ServiceContext.current` is that of the span, so that their requests to other services continue
    /// the trace.
    public var tracer: (any Tracer)?
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
    /// Called when a client logs its user out: it ends the session (`DELETE /session`), or sends an event whose controller sets
    /// the user to `nil`. The context contains the former user. The service calls it on an event loop, where it must not block, and responds
    /// when it returns.
    ///
    /// It is for an audit log, for example: it knows the request. To release what a session holds, declare a hook with
    /// ``Page/init(_:inNavigation:rules:messages:changesUser:onSessionEnd:resultExamples:make:)``, which runs at the end of each session for
    /// whatever reason, and again if it fails.
    public var onLogout: @Sendable (ClientContext) async -> Void = { _ in }
    /// The folder for recordings; `nil` to record no sessions.
    public var recording: RecordingFolder?
    /// Logs a line for each request at the level `info`, or `debug` for `/livez` and `/readyz`; `nil` for no access log.
    public var accessLogger: Logger?
    /// Replaces ``accessLogger``.
    package var accessLog: (any AccessLogHandler)?
    /// Creates the metrics. The default is the factory with which swift-metrics was bootstrapped.
    public var metrics: any MetricsFactory = MetricsSystem.factory
    /// Whether agents can use the pages by the Model Context Protocol (`POST /mcp`): the events whose values a model may know. It is off by default.
    public var servesAgents = false
    /// Returns the agent with a token that a user has made for it; `nil` if the token is unknown. By default, agents have sessions of clients.
    package var findAgent: (@Sendable (String) async throws -> Agent?)?
    package var onAgentLogin: @Sendable (Agent, ClientContext) async -> Void = { _, _ in }
    /// The topics that controllers follow. Pass the same object to all that publish topics.
    public var topics = Topics()
    /// The clock for the expiry of sessions and for limits on requests. With several servers and a PostgreSQL database, it must be the
    /// `DatabaseClock` of `AccountsPostgreSQL`.
    public var clock: any WallClock = SystemClock()

    /// Whether the service helps its developer: the inspector of pages can read all that its session stores, and the session's token, and
    /// continue from an earlier state; a response to an event that has failed (`internal`) says why; and sessions are recorded in memory if
    /// ``recording`` is `nil`. Set it only for a service that other machines cannot reach.
    public var isDevelopment = false

    /// Ends the sessions in memory that other processes have revoked by now. Called before an event that may log a user in, because the
    /// revocation would end the new session otherwise. `nil`, the default, if no other process revokes sessions.
    package var followRevocations: (@Sendable () async -> Void)?

    /// Returns what `/readyz` adds for operators, a line for each, while the service accepts requests.
    package var readinessHints: @Sendable () -> [String] = { [] }

    /// The name of the session's cookie; `nil`, the default, for `session`. Another one keeps the sessions of two services of a host apart,
    /// because a browser sends cookies to all ports.
    package var ownCookieName: StaticString?

    /// The time between two updates of a session for which a request waits. All publications meanwhile lead to one update.
    var updatePace: Duration = .milliseconds(100)

    /// The time until such an update runs again that has failed.
    var updateDelayAfterFailure: Duration = .seconds(5)

    /// Whether a ``TestControl`` can reset the service, and let the pages' collaborators fail. Then each request takes longer.
    package var isResettable = false

    /// Creates the default settings.
    public init() {}

    /// A licence of an API.
    public struct Licence: Equatable, Sendable {
        /// The name of the licence.
        public var name: String
        /// The identifier of the licence in the SPDX list; `nil` if it has none.
        public var identifier: String?

        /// Creates a licence.
        ///
        /// - Parameters:
        ///   - name: the name of the licence.
        ///   - identifier: its identifier in the SPDX list, such as `Apache-2.0`.
        public init(_ name: String, identifier: String? = nil) {
            self.name = name
            self.identifier = identifier
        }
    }

    /// `nil` if sessions are only in memory.
    var sharedSessions: SharedSessions? {
        guard sessionMode == .database else { return nil }
        guard let sessionStore else { fatalError("the session mode 'database' needs a session store") }
        return SharedSessions(sessionStore)
    }

    /// `nil` for no limit. It counts the requests of the limit that it replaces.
    func requestLimit(replacing former: AddressLimit?) -> AddressLimit? {
        guard let requests else { return nil }
        let limit = AddressLimit(requests, limitsLoopback: limitsLoopback)
        return former.map { limit.replacing($0, at: clock.steady) } ?? limit
    }
}

/// When a service writes its sessions to its ``ServiceConfiguration/sessionStore``.
public enum SessionMode: String, CaseIterable, Sendable {
    /// Sessions are in memory. A server saves them when it stops, and restores them when it starts. If its process is killed, they are
    /// lost.
    case memory
    /// The service responds to an event only after it has stored the session. Several servers may share the store, behind any load
    /// balancer. Sessions are not recorded.
    case database
}
