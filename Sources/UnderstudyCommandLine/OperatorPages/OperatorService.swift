import BusinessLogic
import CoreMetrics
import HTMLPages
import Logging
import Understudy

/// The pages on the port for operators.
enum OperatorService {
    /// Creates the service of the pages.
    ///
    /// - Throws: `HTMLTemplateError`, or an error of zlib if there is no memory.
    static func pages(_ access: OperatorAccess, logger: Logger) throws -> UnderstudyService {
        var html = try HTMLPages(title: Application.current.title, templates: OperatorTemplates.all)
        html.keepEnglish()
        html.navigation = ["home", "accounts", "sessions", "mails"]
        var configuration = ServiceConfiguration()
        configuration.title = "\(Application.current.title) for operators"
        configuration.browserPages = html
        // A browser sends the cookies of a host to all of its ports.
        configuration.ownCookieName = "operator"
        configuration.clock = access.administration.clock
        configuration.onLogout = access.recordLogout(of:)
        configuration.sessions.maximum = 1000
        configuration.sessions.maximumSize = 1 << 20
        configuration.sessions.maximumMemory = 64 << 20
        configuration.metrics = NOOPMetricsHandler.instance
        var accessLogger = Logger(label: "understudy.access")
        accessLogger[metadataKey: "port"] = "operators"
        configuration.accessLogger = accessLogger
        return UnderstudyService(
            pages: Page.operators(access),
            configuration: configuration,
            logger: logger
        )
    }
}
