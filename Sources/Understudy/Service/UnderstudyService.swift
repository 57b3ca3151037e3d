internal import BusinessLogic
internal import CoreMetrics
public import Logging
import HTTPMessages
import SessionStorage
import Tracing
import UnderstudyPages
import UnderstudySessions

/// Serves pages: it creates a controller for each session and page, and responds with the commands that the controller gives.
///
/// ``UnderstudyServer`` serves it on a port. Another server can call ``respond(to:)``. Any number of tasks may call it at the
/// same time. The events of one session run one at a time, in the order in which they arrived.
///
/// The settings of an object never change, so that a request has the same ones from its beginning to its end. ``reloaded(with:)`` returns
/// another object, which shares the sessions and everything else.
public final class UnderstudyService: Sendable {
    let pages: Pages
    /// The languages of messages and problems; `nil` if the service has no translations.
    let languages: Languages?
    /// What responses in English depend on.
    let context: ResponseContext
    /// Whether sessions in memory are recorded.
    let recordsSessions: Bool
    /// What the responses in recordings depend on.
    let recordingContext: ResponseContext
    let rules: [ValidationRule]
    let configuration: ServiceConfiguration
    let sessionCookie: SessionCookie
    let liveSessions: LiveSessions
    /// Runs the hooks of pages for sessions that have ended; `nil` if no page has one.
    let sessionEnds: SessionEnds?
    /// The sessions in the database; `nil` if sessions are only in memory.
    let shared: SharedSessions?
    let openAPI: OpenAPIDocument
    let documents: ContentCache
    let metrics: ServiceMetrics
    let accessLog: AccessLog
    let logger: Logger
    let readiness: Readiness
    let requestLimit: RequestLimit?
    /// Receives the spans of requests; `nil` if there are none.
    let tracer: (any Tracer)?
    let addressKey: AddressKey
    let inspectionKey: InspectionKey
    /// Lets no request run during a reset; `nil` if the service cannot be reset.
    let resetGate: ResetGate?
    /// The faults of the pages' collaborators; `nil` if tests do not control the service.
    let faults: CollaboratorFaults?
    private let liveness: Liveness
    let controllerWarnings: ControllerWarnings
    let waitingRequests: WaitingRequests
    let wakeTimers: WakeTimers

    /// Creates a service. Traps if two pages, or two rules, have the same name.
    public init(
        pages: [Page],
        configuration: ServiceConfiguration = ServiceConfiguration(),
        logger: Logger = Logger(label: "understudy")
    ) {
        self.pages = Pages(pages, below: configuration.pathPrefix)
        context = ResponseContext(links: self.pages.links)
        recordsSessions = configuration.recording != nil || configuration.isDevelopment
        // Without the path prefix, which a replay does not know.
        recordingContext = ResponseContext(links: recordsSessions ? Pages(pages).links : PageLinks())
        let bootstrapped = InstrumentationSystem.tracer
        tracer = configuration.tracer ?? (bootstrapped is NoOpTracer ? nil : bootstrapped)
        if tracer != nil { RequestTrace.startTracing() }
        self.configuration = configuration
        sessionCookie = configuration.sessionCookie
        rules = Self.unique(pages.flatMap(\.rules) + configuration.rules)
        languages = Languages(configuration.translations, of: self.pages, rules)
        self.logger = logger
        metrics = ServiceMetrics(pages: pages, factory: configuration.metrics)
        accessLog = AccessLog(configuration)
        shared = configuration.sharedSessions
        // Those that leave the memory stay in the database.
        let sessionMetrics = shared == nil ? metrics.sessions : metrics.sessions.withoutEnds
        let sessionEnds = SessionEnds(pages: pages, logger: logger)
        self.sessionEnds = sessionEnds
        var onEnd: (@Sendable (Session) -> Void)?
        // Otherwise, those in memory are copies.
        if shared == nil, let sessionEnds { onEnd = { sessionEnds.add($0) } }
        liveSessions = LiveSessions(
            limits: configuration.sessions,
            areCopies: shared != nil,
            metrics: sessionMetrics,
            onEnd: onEnd
        )
        metrics.beforeScrape { [liveSessions, sessions = metrics.sessions] in
            sessions.live.set(liveSessions.count)
            sessions.bytes.set(liveSessions.memorySize)
        }
        waitingRequests = WaitingRequests()
        metrics.measureWaitingRequests { [waitingRequests] in waitingRequests.count }
        (configuration.clock as? AdvanceableClock)?.onAdvance { [waitingRequests] in waitingRequests.wakeAll() }
        openAPI = OpenAPIDocument(pages: pages, configuration: configuration)
        resetGate = configuration.isResettable ? ResetGate() : nil
        faults = configuration.isResettable ? CollaboratorFaults() : nil
        requestLimit = RequestLimit(configuration)
        documents = ContentCache()
        readiness = Readiness()
        addressKey = AddressKey()
        inspectionKey = InspectionKey()
        liveness = Liveness()
        controllerWarnings = ControllerWarnings()
        wakeTimers = WakeTimers()
    }

    /// A service with other settings that shares everything else with the one that it replaces.
    init(_ configuration: ServiceConfiguration, replacing former: UnderstudyService) {
        self.configuration = configuration
        languages = Languages(configuration.translations, of: former.pages, former.rules)
        accessLog = AccessLog(configuration)
        requestLimit = RequestLimit(configuration, replacing: former.requestLimit)
        pages = former.pages
        context = former.context
        recordsSessions = former.recordsSessions
        recordingContext = former.recordingContext
        tracer = former.tracer
        sessionCookie = former.sessionCookie
        rules = former.rules
        logger = former.logger
        metrics = former.metrics
        shared = former.shared
        sessionEnds = former.sessionEnds
        liveSessions = former.liveSessions
        waitingRequests = former.waitingRequests
        openAPI = former.openAPI
        resetGate = former.resetGate
        faults = former.faults
        documents = former.documents
        readiness = former.readiness
        addressKey = former.addressKey
        inspectionKey = former.inspectionKey
        liveness = former.liveness
        controllerWarnings = former.controllerWarnings
        wakeTimers = former.wakeTimers
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

    /// The names and descriptions of the service's metrics.
    public static var metricDescriptions: [String: String] { ServiceMetrics.descriptions }

    /// The OpenAPI 3.1 document of the pages and of the service itself, as YAML.
    ///
    /// Each call creates it, which takes tens of milliseconds.
    public var openAPIDocument: String { openAPI.yaml }

    /// The same as JSON.
    package var openAPIJSON: [UInt8] { openAPI.json }

    /// Makes `/readyz` report that the service accepts no more requests, and ends those that wait for new commands of their sessions.
    public func startDraining() {
        readiness.startDraining()
        waitingRequests.wakeAll()
    }

    /// Whether every event loop of the ``UnderstudyServer`` responds. `false` if one has been blocked for more than five seconds;
    /// always `true` without a server.
    public var isAlive: Bool { liveness.isAlive }

    /// Sets the check for `/livez` and ``isAlive``.
    func watch(_ check: @escaping @Sendable () -> Bool) {
        liveness.watch(check)
    }

    var isDraining: Bool { readiness.state == .draining }
}
