import Accounts
import Glibc
import Logging

/// What a running server reads again at SIGHUP: the settings, the certificate, and the path of its log file.
actor Reloading {
    private let certificate: ReloadableCertificate?
    private let server: RunningServer
    private let metrics: ReloadMetrics
    private let read: @Sendable (SettingsReader) throws -> ReloadedSettings
    /// The settings in use.
    private var reader: SettingsReader
    /// The warnings about the files in use, which are logged once.
    private var warnings: Set<ContentFiles.Warning>

    /// - Parameters:
    ///   - certificate: the certificate; `nil` without TLS.
    ///   - server: what the settings apply to.
    ///   - reader: the settings with which the server has started.
    ///   - metrics: report whether everything was reloaded.
    ///   - warnings: those that have been logged about the files in use.
    ///   - read: reads the settings again; its parameter is those in use.
    init(
        certificate: ReloadableCertificate?,
        server: RunningServer,
        reader: SettingsReader,
        warnings: [ContentFiles.Warning],
        metrics: ReloadMetrics,
        read: @escaping @Sendable (SettingsReader) throws -> ReloadedSettings
    ) {
        self.certificate = certificate
        self.server = server
        self.reader = reader
        self.warnings = Set(warnings)
        self.metrics = metrics
        self.read = read
    }

    /// Reloads everything. What cannot be reloaded stays as it is, and is logged. If any setting is invalid, all keep their values.
    func run() async {
        // First, so that all lines are in the new file.
        let hasLog = reopenLog()
        let hasCertificate = certificate?.reload() ?? true
        var metadata: Logger.Metadata = [:]
        do {
            let changed = try await applySettings()
            if !changed.isEmpty { metadata["changed"] = "\(changed.names)" }
            metrics.set(isSuccessful: hasLog && hasCertificate)
        } catch {
            metrics.set(isSuccessful: false)
            log("The settings are not reloaded, and all keep their values", error)
            return server.logger.notice("Reloaded only the log file and the certificate")
        }
        metadata["log-level"] = "\(server.level.current)"
        server.logger.notice("Reloaded", metadata: metadata)
    }

    /// Returns the settings that have changed.
    private func applySettings() async throws -> [any AnySetting] {
        let reloaded = try read(reader)
        let current = try await server.apply(reloaded.settings)
        for warning in current where !warnings.contains(warning) { warning.log(server.logger) }
        (reader, warnings) = (reloaded.reader, Set(current))
        if !reloaded.needingRestart.isEmpty {
            server.logger.warning(
                "Settings have changed that only a restart applies",
                metadata: ["settings": "\(reloaded.needingRestart.names)"]
            )
        }
        return reloaded.changed
    }

    /// Returns whether the log continues in the file at its path.
    private func reopenLog() -> Bool {
        do {
            try server.log.reopen(with: [STDOUT_FILENO])
            return true
        } catch {
            log("The log file is not opened again", error)
            return false
        }
    }

    private func log(_ failure: Logger.Message, _ error: any Error) {
        server.logger.error(failure, metadata: ["error": "\(error)"])
    }
}

extension [any AnySetting] {
    /// The names, separated by commas.
    fileprivate var names: String { map(\.name).joined(separator: ",") }
}
