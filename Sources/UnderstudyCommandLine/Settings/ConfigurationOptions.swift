import ArgumentParser

/// The option that names the configuration file.
struct ConfigurationOptions: ParsableArguments {
    @Option(
        help: """
            A YAML file of settings, such as 'port: 8080'. Options and the environment win over it. \
            (default: \(SettingsReader.usualPath), if it exists)
            """
    )
    var config: String?

    /// Returns a reader for the environment and the file.
    ///
    /// - Throws: ``CommandError`` if the file cannot be read, or contains an unknown setting.
    func settings() throws -> SettingsReader {
        try SettingsReader(file: config)
    }
}
