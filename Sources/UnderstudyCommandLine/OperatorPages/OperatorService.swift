import BusinessLogic
import CoreMetrics
import HTMLPages
import Logging
import Understudy

/// The pages on the port for operators.
enum OperatorService {
    /// The title is the name of the service that the operators operate. In a browser's tabs, its pages must not look like these.
    static func pages(_ access: OperatorAccess, title: String, logger: Logger) throws -> UnderstudyService {
        let title = "\(title) for operators"
        var html = try HTMLPages(
            title: title,
            templates: OperatorTemplates.all,
            assets: ["operators.css": PackageResources.operators_css, "operators.js": PackageResources.operators_js]
        )
        html.keepEnglish()
        var configuration = ServiceConfiguration()
        configuration.title = title
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
        return UnderstudyService(pages: Page.operators(access), configuration: configuration, logger: logger)
    }
}

/// The templates of the pages for operators. Their texts are in English, as the facts on the pages are.
package enum OperatorTemplates {
    package static let all: [String: String] = [
        "login": PackageResources.operators_login_mustache, "home": PackageResources.operators_home_mustache,
        "accounts": PackageResources.accounts_mustache, "accountDetails": PackageResources.accountDetails_mustache,
        "sessions": PackageResources.sessions_mustache, "sessionDetails": PackageResources.sessionDetails_mustache,
        "mails": PackageResources.mails_mustache, "audit": PackageResources.audit_mustache,
        "operators.files": PackageResources.operators_files_mustache,
        "operators.start": PackageResources.operators_start_mustache,
        "operators.verb": PackageResources.operators_verb_mustache,
    ].mapValues { String(decoding: $0, as: UTF8.self) }
}

extension Page {
    /// Serve them on a port that only operators can reach. All but `login` need an operator who has logged in with a token.
    static func operators(_ access: OperatorAccess) -> [Page] {
        func page<Controller: OperatorPage & BusinessLogicController>(
            _ name: String,
            _ type: Controller.Type,
            inNavigation: Bool = true
        ) -> Page {
            Page(name, inNavigation: inNavigation) { Controller(access: access, identity: $0.identity) }
        }
        return [
            page("login", OperatorLoginController.self, inNavigation: false),
            page("home", OverviewController.self),
            page("sessions", SessionsController.self),
            page("sessionDetails", SessionDetailsController.self, inNavigation: false),
            page("accounts", AccountsController.self),
            page("accountDetails", AccountDetailsController.self, inNavigation: false),
            page("mails", MailsController.self),
            page("audit", AuditController.self),
        ]
    }
}
