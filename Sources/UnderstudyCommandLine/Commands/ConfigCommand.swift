import ArgumentParser

/// `understudy config`.
struct ConfigCommand: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration("config", usage: "\(Application.current.commandName) config [<options>]")
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
