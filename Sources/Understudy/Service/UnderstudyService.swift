internal import BusinessLogic
internal import CoreMetrics
public import Logging
import MicroHTTP

/// Serves controllers as pages: takes requests, gives each session its own controllers, and answers with the commands that
/// they gave.
///
/// It knows no socket: ``UnderstudyServer`` puts it behind one, and anybody else may call ``respond(to:)``. May be called
/// from any number of tasks at once; the events of one session run one at a time, in the order in which they came.
public final class UnderstudyService: Sendable {
    let pages: Pages
    let rules: [ValidationRule]
    let configuration: ServiceConfiguration
    let store: MemorySessionStore
    let openAPI: OpenAPIDocument
    let metrics: ServiceMetrics
    let accessLog: AccessLog
    let logger: Logger
    private let draining = Draining()
    let requestLimit: RequestLimit?
    private let liveness = Liveness()

    /// A service of those pages, of which no two may have the same name.
    public init(
        pages: [Page],
        configuration: ServiceConfiguration = ServiceConfiguration(),
        logger: Logger = Logger(label: "understudy")
    ) {
        self.pages = Pages(pages, below: configuration.pathPrefix)
        self.configuration = configuration
        rules = Self.unique(pages.flatMap(\.rules) + configuration.rules)
        self.logger = logger
        metrics = ServiceMetrics(pages: pages, factory: configuration.metrics)
        accessLog = AccessLog(configuration.accessLogger, below: configuration.pathPrefix)
        store = MemorySessionStore(limits: configuration.sessions, metrics: metrics.sessions)
        metrics.beforeScrape { [store, sessions = metrics.sessions] in
            sessions.live.set(store.count)
            sessions.bytes.set(store.memorySize)
        }
        openAPI = OpenAPIDocument(
            pages: pages,
            rules: configuration.rules,
            below: configuration.pathPrefix,
            title: configuration.title,
            version: configuration.version
        )
        requestLimit = configuration.requests.map {
            RequestLimit($0, limitsLoopback: configuration.limitsLoopback)
        }
    }

    private static func unique(_ rules: [ValidationRule]) -> [ValidationRule] {
        var names: Set<String> = []
        for rule in rules {
            precondition(names.insert(rule.name).inserted, "the rule '\(rule.name)' is registered twice")
        }
        return rules
    }

    /// Understudy's version.
    public static let version = "0.1.0"

    /// The name of each metric that the service counts by, with what it means.
    public static var metricDescriptions: [String: String] { ServiceMetrics.descriptions }

    /// The OpenAPI 3.1 document of the pages and of the service itself, as YAML.
    public var openAPIDocument: String { openAPI.yaml }

    /// Makes `/readyz` say that no more requests are wanted.
    public func startDraining() {
        draining.start()
    }

    /// Whether every event loop that serves this is well; false while one has been held up for more than five seconds.
    public var isAlive: Bool { liveness.isAlive }

    /// Has `/livez` and ``isAlive`` say what the check says.
    func watch(_ check: @escaping @Sendable () -> Bool) {
        liveness.watch(check)
    }

    /// Removes sessions that have expired. Call now and then; those that are asked for are refused in any case.
    public func removeExpiredSessions() {
        store.removeExpired(at: configuration.clock.now)
    }

    /// Ends all sessions that a user is logged in to: who is there has to log in again.
    ///
    /// - Parameter user: the user's id.
    public func endSessions(ofUser user: String) async throws {
        store.removeSessions(ofUser: user)
    }

    var isDraining: Bool { draining.hasStarted }
}
