/// Other settings for a service that serves.
extension UnderstudyService {
    /// A service with other settings that shares the sessions and everything else with this one. Give it to ``UnderstudyServer/reload(_:_:)``, or
    /// send it the requests that arrive from now on. Sessions stay, unless they exceed the limits. Requests that are in progress keep the
    /// settings with which they began: a stream of an open page keeps the language of its texts, for example.
    ///
    /// Call it on the latest service, whose counted requests the limits continue. It may take milliseconds, so do not call it on an event loop.
    ///
    /// - Parameter configuration: the ``ServiceConfiguration/translations``, ``ServiceConfiguration/sessions``,
    ///   ``ServiceConfiguration/browserPages``, ``ServiceConfiguration/maximumWaitingEvents``, ``ServiceConfiguration/allowedOrigins``,
    ///   ``ServiceConfiguration/requests``, ``ServiceConfiguration/limitsLoopback`` and ``ServiceConfiguration/accessLogger``. The service
    ///   ignores everything else.
    public func reloaded(with configuration: ServiceConfiguration) -> UnderstudyService {
        liveSessions.reload(configuration.sessions)
        return UnderstudyService(self.configuration.reloading(configuration), replacing: self)
    }
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
