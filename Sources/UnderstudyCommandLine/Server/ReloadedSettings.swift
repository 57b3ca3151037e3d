/// The settings of a running server, read again.
struct ReloadedSettings {
    /// The current values of the settings that a running server can change, and the former values of the others.
    let settings: ServeSettings
    /// The readings of these values.
    let readings: [SettingsReader.Reading]
    /// The settings that have changed and that a running server applies.
    let changed: [any AnySetting]
    /// The settings that have changed and need a restart.
    let needingRestart: [any AnySetting]

    /// Reads the options again, the environment and the configuration file, with the checks of a start.
    ///
    /// - Parameters:
    ///   - systemd: what systemd has passed to the process.
    ///   - former: the readings of the values in use.
    /// - Throws: ``CommandError`` or `ValidationError` if the server could not start with these settings.
    init(_ options: some ServeOptions, systemd: Systemd, replacing former: [SettingsReader.Reading]) async throws {
        let all = try options.storage.configuration.settings()
        try ServeSettings(options, all, systemd: systemd).admin.token?.check()
        let applicable = SettingsReader(all, keeping: former)
        settings = try ServeSettings(options, applicable, systemd: systemd)
        readings = applicable.readings
        changed = readings.changed(since: former)
        needingRestart = all.readings.changed(since: former).filter { !$0.isReloadable }
    }
}
