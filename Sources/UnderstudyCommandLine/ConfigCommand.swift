import ArgumentParser

/// `understudy config`.
struct ConfigCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "config",
        abstract: "Show every setting of 'serve' that holds, and who has set it.",
        discussion: """
            It takes the options of 'serve', reads the environment and the configuration file, and starts nothing. \
            \(Help.exit)
            """
    )

    @Flag(help: "Print a configuration file instead: every setting with its description and default, commented out.")
    var template = false

    @OptionGroup var options: ServeOptions

    func run() async throws {
        if template { return Terminal.print(SettingsTemplate.text, terminator: "") }
        let settings = try await options.storage.configuration.settings()
        _ = try ServePlan(options, settings)
        let lines = Settings.all.compactMap { setting in settings.answers.first { $0.setting.name == setting.name } }
        let widths = [lines.map(\.setting.name.count).max() ?? 0, lines.map(\.text.count).max() ?? 0]
        for line in lines {
            let name = line.setting.name.padded(to: widths[0])
            let value = line.text.printable
            switch line.origin {
            case .nobody: Terminal.print("\(name)  \(value)")
            case .option: Terminal.print("\(Terminal.strong(name))  \(value.padded(to: widths[1]))  option")
            case .environment(let variable):
                Terminal.print("\(Terminal.strong(name))  \(value.padded(to: widths[1]))  environment (\(variable))")
            case .file(let path):
                Terminal.print("\(Terminal.strong(name))  \(value.padded(to: widths[1]))  file (\(path.printable))")
            }
        }
    }
}

extension String {
    fileprivate func padded(to width: Int) -> String {
        self + String(repeating: " ", count: max(0, width - count))
    }
}
