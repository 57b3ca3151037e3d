/// A configuration file that documents all settings; every line with a setting is commented out.
enum SettingsTemplate {
    /// The maximum length of a line, in characters. A longer default is alone on its line.
    private static let width = 100

    /// The file's text: for each setting its description and, after a `#`, a line with its default.
    static var text: String {
        let name = Application.current.commandName
        var lines = comment(
            """
            The settings of \(name)(1). Each line that starts with '#' and a setting's name shows its default: remove the \
            '#' to change it. An option of the command wins over a variable of the environment (UNDERSTUDY_PORT for \
            'port'), and that over this file. '\(name) config' checks the file and shows which settings apply.
            """
        )
        lines.append("#")
        lines += comment(
            """
            A duration is a number with ms, s, m, h or d. A size is a number with KiB, MiB or GiB (bytes without). A setting \
            without a value is not set.
            """
        )
        for (title, settings) in Settings.groups {
            lines += ["", "## \(title)"]
            for setting in settings {
                let description = setting.help + (setting.isReloadable ? " SIGHUP applies a change." : "")
                let isExplained = setting.literal == nil && !setting.defaultText.isEmpty
                lines.append("")
                lines += comment(isExplained ? "\(description) (default: \(setting.defaultText))" : description)
                lines.append(setting.literal.map { "#\(setting.name): \($0)" } ?? "#\(setting.name):")
            }
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private static func comment(_ text: String) -> [String] {
        var lines: [String] = []
        for word in text.split(separator: " ") {
            if let last = lines.last, last.count + 1 + word.count <= width {
                lines[lines.count - 1] += " \(word)"
            } else {
                lines.append("# \(word)")
            }
        }
        return lines
    }
}
