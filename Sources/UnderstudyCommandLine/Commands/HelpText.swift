import ArgumentParser

/// Sentences that the help of several commands contains.
enum HelpText {
    static let exit = "Exit status: 0 done, 1 failed, 64 wrong usage."
    static let password =
        "The command asks for a password on the terminal, or reads it from the first line of standard input. Passwords are never arguments."
    static let confirmation =
        "The command asks for confirmation on the terminal; without a terminal, it requires '--yes'."
}

extension CommandConfiguration {
    /// The configuration of a command with the usual exit statuses, with which its help ends.
    ///
    /// - Parameters:
    ///   - name: the name of the command.
    ///   - abstract: what it does, in a sentence.
    ///   - discussion: what else a person must know.
    ///   - usage: the usage, if it does not follow from the command's declaration.
    init(
        _ name: String,
        _ abstract: String,
        _ discussion: String = "",
        usage: String? = nil,
        subcommands: [any ParsableCommand.Type] = []
    ) {
        self.init(
            commandName: name,
            abstract: abstract,
            usage: usage,
            discussion: discussion.isEmpty ? HelpText.exit : "\(discussion) \(HelpText.exit)",
            subcommands: subcommands
        )
    }
}
