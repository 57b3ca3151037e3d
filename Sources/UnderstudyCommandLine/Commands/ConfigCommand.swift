import ArgumentParser

/// `understudy config`.
struct ConfigCommand: AsyncParsableCommand, ServeOptions {
    static let configuration = CommandConfiguration(
        commandName: "config",
        abstract: "Show the value of each setting of 'serve', and where it is set.",
        discussion: """
            The command takes the options of 'serve', reads the environment and the configuration file, checks the files of \
            the certificate and its key, the translations, the templates (also of mails) and the static files, and starts nothing. So it finds what \
            'serve' would reject at its start and at SIGHUP. \
            \(HelpText.exit)
            """
    )

    @Flag(help: "Print a configuration file instead: every setting with its description and default, commented out.")
    var template = false

    @OptionGroup(title: "Server") var listening: ListeningOptions
    @OptionGroup(title: "Sessions") var sessions: SessionOptions
    @OptionGroup(title: "Limits") var limits: LimitOptions
    @OptionGroup(title: "Storage") var storage: StorageOptions
    @OptionGroup(title: "Accounts") var passwords: PasswordOptions
    @OptionGroup(title: "Accounts") var accounts: AccountOptions
    @OptionGroup(title: "Passkeys") var passkeys: PasskeyOptions
    @OptionGroup(title: "Mail") var mail: MailOptions
    @OptionGroup(title: "Observability") var observability: ObservabilityOptions

    func run() async throws {
        if template { return Terminal.print(SettingsTemplate.text, terminator: "") }
        try show(storage.configuration.settings())
    }

    private func show(_ settings: SettingsReader) throws {
        let values = try ServeSettings(self, settings)
        let lines = Settings.all.compactMap { setting in settings.readings.first { $0.setting.name == setting.name } }
        let widths = [lines.map(\.setting.name.count).max() ?? 0, lines.map(\.text.count).max() ?? 0]
        for line in lines {
            let name = line.setting.name.padded(to: widths[0])
            let value = line.text.printable
            switch line.origin {
            case .default: Terminal.print("\(name)  \(value)")
            case .option: Terminal.print("\(Terminal.strong(name))  \(value.padded(to: widths[1]))  option")
            case .environment(let variable):
                Terminal.print("\(Terminal.strong(name))  \(value.padded(to: widths[1]))  environment (\(variable))")
            case .file(let path):
                Terminal.print("\(Terminal.strong(name))  \(value.padded(to: widths[1]))  file (\(path.printable))")
            }
        }
        // Last, so that the settings are shown in any case.
        try values.tls?.check()
        _ = try ContentFiles(values)
        try values.admin.token?.check()
    }
}
