/// Other settings for a service that serves.
extension UnderstudyService {
    /// Applies other settings to the requests that arrive from now on, without an interruption. Sessions stay, unless they exceed the limits.
    /// Requests that are in progress keep the settings with which they began: a stream of an open page keeps the language of its texts, for
    /// example.
    ///
    /// Call it on the service that you have created; any task may do so. It may take milliseconds, so do not call it on an event loop.
    ///
    /// - Parameter configuration: the ``ServiceConfiguration/translations``, ``ServiceConfiguration/sessions``,
    ///   ``ServiceConfiguration/browserPages``, ``ServiceConfiguration/maximumWaitingEvents``, ``ServiceConfiguration/allowedOrigins``,
    ///   ``ServiceConfiguration/requests``, ``ServiceConfiguration/limitsLoopback`` and ``ServiceConfiguration/accessLogger``. The service
    ///   ignores everything else.
    public func reload(_ configuration: ServiceConfiguration) {
        replacement.replace(self) { former in
            liveSessions.reload(configuration.sessions)
            return UnderstudyService(self.configuration.reloading(configuration), replacing: former)
        }
    }

    /// The service whose settings apply now.
    var current: UnderstudyService { replacement.current ?? self }
}

extension ServiceConfiguration {
    /// This configuration with what can change in another one.
    fileprivate func reloading(_ other: ServiceConfiguration) -> ServiceConfiguration {
        var configuration = self
        configuration.translations = other.translations
        configuration.sessions = other.sessions
        configuration.browserPages = other.browserPages
        configuration.maximumWaitingEvents = other.maximumWaitingEvents
        configuration.allowedOrigins = other.allowedOrigins
        configuration.requests = other.requests
        configuration.limitsLoopback = other.limitsLoopback
        configuration.accessLogger = other.accessLogger
        configuration.accessLog = other.accessLog
        return configuration
    }
}
