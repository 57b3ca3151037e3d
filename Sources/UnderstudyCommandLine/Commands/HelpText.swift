/// Sentences that the help of several commands contains.
enum HelpText {
    static let exit = "Exit status: 0 done, 1 failed, 64 wrong usage."
    static let password =
        "The command asks for a password on the terminal, or reads it from the first line of standard input. Passwords are never arguments."
}
