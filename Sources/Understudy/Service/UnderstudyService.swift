import BusinessLogic
import CoreMetrics
public import Logging
import HTTPMessages
import RateLimiting
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
    /// None if the service does not serve agents.
    let agentTools: [AgentTool]
    let agentStarts: AgentStarts
    /// `nil` if the service has no translations.
    let languages: Languages?
    /// What responses in English depend on.
    let context: ResponseContext
    let recordsSessions: Bool
    let recordingContext: ResponseContext
    let rules: [ValidationRule]
    let configuration: ServiceConfiguration
    let sessionCookie: SessionCookie
    let liveSessions: LiveSessions
    /// `nil` if no page has a hook for the end of sessions.
    let sessionEnds: SessionEnds?
    /// `nil` if sessions are only in memory.
    let shared: SharedSessions?
    let openAPI: OpenAPIDocument
    let documents: ContentCache
    let metrics: ServiceMetrics
    /// `nil` without an access log.
    let accessLog: (any AccessLogHandler)?
    let logger: Logger
    let readiness: Readiness
    let requestLimit: AddressLimit?
    /// `nil` if there are no spans.
    let tracer: (any Tracer)?
    let addressKey: AddressKey
    let inspectionKey: InspectionKey
    /// `nil` if the service cannot be reset.
    let resetGate: ResetGate?
    /// `nil` if tests do not control the service.
    let faults: CollaboratorFaults?
    let liveness: Liveness
    let controllerWarnings: ControllerWarnings
    let waitingRequests: WaitingRequests
    let wakeTimers: WakeTimers

    /// Creates a service. Traps if two pages, or two rules, have the same name, or if the pages for browsers have another path prefix.
    public convenience init(
        pages: [Page],
        configuration: ServiceConfiguration = ServiceConfiguration(),
        logger: Logger = Logger(label: "understudy")
    ) {
        self.init(pages: pages, configuration, logger, replacing: nil)
    }

    /// Shares all but what depends on the settings with the service that it replaces.
    private init(
        pages: [Page],
        _ configuration: ServiceConfiguration,
        _ logger: Logger,
        replacing former: UnderstudyService?
    ) {
        if let pages = configuration.browserPages {
            requireDeclaration(
                pages.pathPrefix == configuration.pathPrefix,
                "the path prefix of the service is '\(configuration.pathPrefix)', and that of its pages for browsers '\(pages.pathPrefix)'"
            )
        }
        self.configuration = configuration
        self.logger = logger
        self.pages = former?.pages ?? Pages(pages, below: configuration.pathPrefix)
        agentTools = configuration.servesAgents ? AgentTool.tools(of: self.pages.all) : []
        context = ResponseContext(links: self.pages.links)
        recordsSessions = configuration.recording != nil || configuration.isDevelopment
        // Without the path prefix, which a replay does not know.
        recordingContext = ResponseContext(links: recordsSessions ? Pages(pages).links : PageLinks())
        sessionCookie = configuration.sessionCookie
        rules = Self.unique(pages.flatMap(\.rules) + configuration.rules)
        languages = Languages(configuration.translations, of: self.pages, rules)
        accessLog = configuration.accessLog ?? configuration.accessLogger.map { LoggerAccessLog(logger: $0) }
        requestLimit = configuration.requestLimit(replacing: former?.requestLimit)
        let bootstrapped = InstrumentationSystem.tracer
        tracer = former.map(\.tracer) ?? configuration.tracer ?? (bootstrapped is NoOpTracer ? nil : bootstrapped)
        if tracer != nil { RequestTrace.startTracing() }
        metrics = former?.metrics ?? ServiceMetrics(pages: pages, factory: configuration.metrics)
        shared = former.map(\.shared) ?? configuration.sharedSessions
        let sessionEnds = former.map(\.sessionEnds) ?? SessionEnds(pages: pages, logger: logger)
        self.sessionEnds = sessionEnds
        var onEnd: (@Sendable (Session) -> Void)?
        // Otherwise, those in memory are copies.
        if shared == nil, let sessionEnds { onEnd = { sessionEnds.add($0) } }
        liveSessions =
            former?.liveSessions
            ?? LiveSessions(
                limits: configuration.sessions,
                areCopies: shared != nil,
                // Those that leave the memory stay in the database.
                metrics: shared == nil ? metrics.sessions : metrics.sessions.withoutEnds,
                onEnd: onEnd
            )
        openAPI = former?.openAPI ?? OpenAPIDocument(pages: pages, configuration: configuration)
        resetGate = former.map(\.resetGate) ?? (configuration.isResettable ? ResetGate() : nil)
        faults = former.map(\.faults) ?? (configuration.isResettable ? CollaboratorFaults() : nil)
        documents = former?.documents ?? ContentCache()
        readiness = former?.readiness ?? Readiness()
        addressKey = former?.addressKey ?? AddressKey()
        inspectionKey = former?.inspectionKey ?? InspectionKey()
        liveness = former?.liveness ?? Liveness()
        controllerWarnings = former?.controllerWarnings ?? ControllerWarnings()
        agentStarts = former?.agentStarts ?? AgentStarts()
        wakeTimers = former?.wakeTimers ?? WakeTimers()
        waitingRequests = former?.waitingRequests ?? WaitingRequests()
        if former == nil { observe() }
    }

    /// Measures what changes by itself, and follows the clock.
    private func observe() {
        metrics.beforeScrape { [liveSessions, sessions = metrics.sessions] in
            sessions.live.set(liveSessions.count)
            sessions.bytes.set(liveSessions.memorySize)
        }
        metrics.measureWaitingRequests { [waitingRequests] in waitingRequests.count }
        (configuration.clock as? AdvanceableClock)?.onAdvance { [waitingRequests] in waitingRequests.wakeAll() }
    }

    private static func unique(_ rules: [ValidationRule]) -> [ValidationRule] {
        var names: Set<String> = []
        for rule in rules {
            requireDeclaration(names.insert(rule.name).inserted, "the rule '\(rule.name)' is registered twice")
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

    /// Makes `/readyz` report that the service accepts no more requests, and ends those that wait for new commands of their sessions.
    public func startDraining() {
        readiness.startDraining()
        waitingRequests.wakeAll()
    }

    /// Whether every event loop of the ``UnderstudyServer`` responds. `false` if one has been blocked for more than five seconds;
    /// always `true` without a server.
    public var isAlive: Bool { liveness.isAlive }

    var isDraining: Bool { readiness.state == .draining }

    /// `nil` if the commands contain no message, or the service has no translations.
    func language(of commands: ArraySlice<CommandHistory.Entry>, for request: Request) -> Language? {
        guard let languages, commands.containMessage else { return nil }
        return languages[request.headers]
    }
}

extension Languages {
    /// `nil` if the service has no translations. The texts of its settings take precedence over those of the program.
    convenience init?(_ translations: Translations, of pages: Pages, _ rules: [ValidationRule]) {
        let messages = pages.all.flatMap(\.messages) + rules.flatMap(\.messages) + Translations.serviceMessages
        self.init(translations.completed, of: Set(messages.map(\.code)), links: pages.links)
    }
}

extension UnderstudyService {
    /// A service with other settings that shares the sessions and everything else with this one. Give it to ``UnderstudyServer/reload(_:_:)``, or
    /// send it the requests that arrive from now on. Sessions stay, unless they exceed the limits. Requests that are in progress keep the
    /// settings with which they began: a stream of an open page keeps the language of its texts, for example.
    ///
    /// Call it on the latest service, whose counted requests the limits continue. It may take milliseconds, so do not call it on an event loop.
    ///
    /// - Parameter configuration: the ``ServiceConfiguration/translations``, ``ServiceConfiguration/sessions``,
    ///   ``ServiceConfiguration/browserPages``, ``ServiceConfiguration/maximumWaitingEvents``, ``ServiceConfiguration/allowedOrigins``,
    ///   ``ServiceConfiguration/requests``, ``ServiceConfiguration/limitsLoopback``, ``ServiceConfiguration/servesAgents`` and
    ///   ``ServiceConfiguration/accessLogger``. The service ignores everything else.
    public func reloaded(with configuration: ServiceConfiguration) -> UnderstudyService {
        liveSessions.reload(configuration.sessions)
        let configuration = self.configuration.reloading(configuration)
        return UnderstudyService(pages: pages.all, configuration, logger, replacing: self)
    }
}

extension ServiceConfiguration {
    fileprivate func reloading(_ other: ServiceConfiguration) -> ServiceConfiguration {
        var configuration = self
        configuration.translations = other.translations
        configuration.sessions = other.sessions
        configuration.browserPages = other.browserPages
        configuration.maximumWaitingEvents = other.maximumWaitingEvents
        configuration.allowedOrigins = other.allowedOrigins
        configuration.requests = other.requests
        configuration.limitsLoopback = other.limitsLoopback
        configuration.servesAgents = other.servesAgents
        configuration.accessLogger = other.accessLogger
        configuration.accessLog = other.accessLog
        return configuration
    }
}
