import Accounts
import Logging
import Understudy

/// The parts of a running server to which other settings apply.
struct RunningServer {
    let pages: [Page]
    let service: UnderstudyService
    /// The configuration with which the service was created.
    let configuration: ServiceConfiguration
    let server: UnderstudyServer
    /// The server for operators; `nil` if it is switched off.
    let admin: AdminServer?
    let accounts: AccountService
    /// Writes the mails to users; `nil` if none are sent.
    let mails: TemplatedMails?
    let log: LogWriter
    let level: AdjustableLevel
    let logger: Logger

    /// Applies the settings that can change, and reads translations, templates and static files again.
    ///
    /// - Returns: what is probably a mistake in the files.
    /// - Throws: what reading the files throws. Then nothing has changed.
    func apply(_ settings: ServeSettings) async throws -> [ContentFiles.Warning] {
        let content = try ContentFiles(settings)
        let warnings = try content.warnings(about: pages)

        var configuration = configuration
        configuration.sessions = settings.service.sessions
        configuration.allowedOrigins = settings.service.allowedOrigins
        configuration.requests = settings.service.requests
        configuration.limitsLoopback = settings.service.limitsLoopback
        configuration.translations = content.translations
        configuration.browserPages = content.htmlPages
        configuration.accessLog = settings.log.accessLog(log, level: level)
        service.reload(configuration)
        await server.reload(settings.server)
        if let admin, let operators = settings.admin.configuration { await admin.reload(operators) }
        accounts.reload(settings.rateLimits)
        if let written = content.mails { mails?.useTemplates(of: written) }
        level.current = settings.log.level
        return warnings
    }
}
