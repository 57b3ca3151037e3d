/// The settings of a running server, read again.
struct ReloadedSettings {
    /// The current values of the settings that a running server can change, and the former values of the others.
    let settings: ServeSettings
    /// The texts of these values.
    let reader: SettingsReader
    /// The settings that have changed and that a running server applies.
    let changed: [any AnySetting]
    /// The settings that have changed and need a restart.
    let needingRestart: [any AnySetting]

    /// Reads the options again, the environment and the configuration file, with the checks of a start.
    ///
    /// - Parameters:
    ///   - systemd: what systemd has passed to the process.
    ///   - former: the settings in use.
    /// - Throws: ``CommandError`` or `ValidationError` if the server could not start with these settings.
    init(_ command: ServeCommand, systemd: Systemd, replacing former: SettingsReader) throws {
        let all = try command.settings()
        try ServeSettings(all, systemd: systemd).admin.token?.check()
        reader = all.keeping(former)
        settings = try ServeSettings(reader, systemd: systemd)
        changed = reader.changed(since: former)
        needingRestart = all.changed(since: former).filter { !$0.isReloadable }
    }
}
