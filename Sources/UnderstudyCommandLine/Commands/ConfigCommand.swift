import ArgumentParser

/// `understudy config`.
struct ConfigCommand: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            "config",
            "Show the value of each setting of 'serve', and where it is set.",
            """
            The command takes the options of 'serve', reads the environment and the configuration file, checks the files of \
            the certificate and its key, the translations, the templates (also of mails) and the static files, the addresses, the number of files \
            that may be open and the folder for recordings, and starts nothing. So it finds what 'serve' would reject at its start and at SIGHUP.
            """,
            // Otherwise, that of 'serve', whose options are a group.
            usage: "\(Application.current.commandName) config [<options>]"
        )
    }

    @Flag(help: "Print a configuration file instead: every setting with its description and default, commented out.")
    var template = false

    @OptionGroup var serve: ServeCommand

    func run() async throws {
        if template { return Terminal.print(SettingsTemplate.text, terminator: "") }
        let settings = try serve.settings()
        let values = try ServeSettings(settings)
        let lines = settings.used.map { (setting: $0, text: settings.shown($0)) }
        let widths = [lines.map(\.setting.name.count).max() ?? 0, lines.map(\.text.count).max() ?? 0]
        for line in lines {
            let name = line.setting.name.padded(to: widths[0])
            let value = line.text.printable
            let source: String
            switch settings.origin(of: line.setting) {
            case nil:
                Terminal.print("\(name)  \(value)")
                continue
            case .option: source = "option"
            case .environment(let variable): source = "environment (\(variable))"
            case .file(let path): source = "file (\(path.printable))"
            }
            Terminal.print("\(Terminal.strong(name))  \(value.padded(to: widths[1]))  \(source)")
        }
        // Last, so that the settings are shown in any case.
        try values.tls?.check()
        _ = try ContentFiles(values)
        try values.admin.token?.check()
        try values.checkMachine()
    }
}
