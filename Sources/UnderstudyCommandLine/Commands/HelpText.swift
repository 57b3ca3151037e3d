import Accounts
import ArgumentParser
import BusinessLogic
import UnderstudyReplay

/// What `--help` prints about the commands: the entries of `commands.txt`.
///
/// The first paragraph of an entry says what the command does, in a sentence. Lines of a paragraph are joined, except those that are indented
/// further. `{{name}}` is replaced by the entry with that heading, or by a value of the program.
enum HelpText {
    /// The entries by their headings, such as `account add`.
    static let all: [String: String] = {
        let entries = String(decoding: PackageResources.commands_txt.dropLast(), as: UTF8.self)
            .split(separator: /\n+(?=[^ \n])/)
        let texts = entries.map { entry in
            let lines = entry.split(separator: "\n", omittingEmptySubsequences: false)
            let text = lines.dropFirst().map { $0.dropFirst(2) }.joined(separator: "\n")
            return (String(lines[0]), text.replacing(/([^ \n])\n(?=[^ \n])/) { "\($0.1) " })
        }
        return Dictionary(texts) { $1 }
    }()

    /// The values of the program, and the sentences that the help of several commands contains.
    private static var values: [(name: String, text: String)] {
        [
            ("{{command}}", Application.current.commandName), ("{{role length}}", "\(Role.maximumLength)"),
            ("{{note length}}", "\(AccountText.note.maximum)"), ("{{memory}}", "\(ComparedProgram.memory >> 30)"),
            ("{{deadline}}", ComparedProgram.deadline.text), ("{{time mark}}", Timestamp.mark),
        ] + all.filter { $0.key.hasPrefix("{{") }.map { ($0.key, $0.value) }
    }

    /// The text with a heading.
    static func text(of heading: String) -> String {
        guard let text = all[heading] else { preconditionFailure("commands.txt lacks '\(heading)'") }
        return values.reduce(text) { $0.replacing($1.name, with: $1.text) }
    }
}

extension CommandConfiguration {
    /// The configuration of a command with its text in `commands.txt`.
    ///
    /// - Parameters:
    ///   - path: the names of the command and of those that contain it, such as `account add`.
    ///   - usage: the usage, if it does not follow from the command's declaration.
    init(_ path: String, usage: String? = nil, subcommands: [any ParsableCommand.Type] = []) {
        let text = HelpText.text(of: path)
        let end = text.firstRange(of: "\n\n")
        self.init(
            commandName: path.split(separator: " ").last.map(String.init),
            abstract: String(text[..<(end?.lowerBound ?? text.endIndex)]),
            usage: usage,
            discussion: String(text[(end?.upperBound ?? text.endIndex)...]),
            subcommands: subcommands
        )
    }
}
