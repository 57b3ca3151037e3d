import Accounts
import BusinessLogic
import CoreMetrics
import HTMLPages
import Logging
import OperatorPages
import Understudy

/// The pages on the port for operators.
enum OperatorService {
    /// Creates the service of the pages.
    ///
    /// - Parameters:
    ///   - token: with which operators log in.
    ///   - accounts: the opened stores of the server.
    ///   - application: the pages of the application, whose sessions operators see.
    ///   - directory: these sessions.
    ///   - status: returns how the server is.
    /// - Throws: `HTMLTemplateError`, or an error of zlib if there is no memory.
    static func pages(
        _ token: OperatorToken,
        _ accounts: OpenedAccounts,
        application: [Page],
        directory: any SessionDirectory,
        status: @escaping @Sendable () async throws -> ServerStatus,
        logger: Logger
    ) throws -> UnderstudyService {
        let clock = accounts.clock
        let administration = OperatorAdministration(
            token: token,
            database: accounts.database?.database,
            directory: directory,
            outbox: accounts.outbox,
            clock: clock,
            audit: accounts.audit,
            hasher: accounts.hasher,
            pages: application,
            status: status
        )
        var html = try HTMLPages(title: Application.current.title, templates: OperatorTemplates.all)
        html.keepEnglish()
        html.navigation = ["home", "accounts", "sessions", "mails"]
        var configuration = ServiceConfiguration()
        configuration.title = "\(Application.current.title) for operators"
        configuration.browserPages = html
        // A browser sends the cookies of a host to all of its ports.
        configuration.ownCookieName = "operator"
        configuration.clock = clock
        configuration.onLogout = administration.recordLogout(of:)
        configuration.sessions.maximum = 1000
        configuration.sessions.maximumSize = 1 << 20
        configuration.sessions.maximumMemory = 64 << 20
        configuration.metrics = NOOPMetricsHandler.instance
        var accessLogger = Logger(label: "understudy.access")
        accessLogger[metadataKey: "port"] = "operators"
        configuration.accessLogger = accessLogger
        return UnderstudyService(
            pages: Page.operators(administration, clock: clock, hasDatabase: accounts.database != nil),
            configuration: configuration,
            logger: logger
        )
    }
}
