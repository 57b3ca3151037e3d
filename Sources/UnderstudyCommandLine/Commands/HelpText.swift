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
        var (texts, heading) = ([String: String](), "")
        for line in String(decoding: PackageResources.commands_txt, as: UTF8.self).split(
            separator: "\n",
            omittingEmptySubsequences: false
        ) {
            guard line.isEmpty || line.hasPrefix("  ") else {
                heading = String(line)
                continue
            }
            let (text, line) = (texts[heading] ?? "", line.dropFirst(2))
            let isJoined = !line.isEmpty && !line.hasPrefix(" ") && !text.isEmpty && !text.hasSuffix("\n")
            texts[heading] = text + (isJoined ? " " : text.isEmpty ? "" : "\n") + line
        }
        // An empty line follows each entry.
        return texts.mapValues { String($0.dropLast()) }
    }()

    static func text(of heading: String) -> String {
        guard let text = all[heading] else { preconditionFailure("commands.txt lacks '\(heading)'") }
        return text.replacing(/{{([a-z ]+)}}/) { value($0.1) }
    }

    /// What replaces a name in braces.
    private static func value(_ name: Substring) -> String {
        switch name {
        case "command": Application.current.commandName
        case "role length": "\(Role.maximumLength)"
        case "note length": "\(AccountText.note.maximum)"
        case "memory": "\(ComparedProgram.memory >> 30)"
        case "deadline": ComparedProgram.deadline.text
        case "time mark": Timestamp.mark
        default: text(of: "{{\(name)}}")
        }
    }
}

extension CommandConfiguration {
    /// The configuration of a command with its text in `commands.txt`, whose heading is the path, such as `account add`. Give the usage if it
    /// does not follow from the command's declaration.
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
