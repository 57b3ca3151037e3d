import ArgumentParser

/// The option of a command that deletes something: it asks before, unless the option is set.
struct Confirmation: ParsableArguments {
    @Flag(help: "Do not ask.")
    var yes = false

    func validate() throws {
        guard yes || Terminal.canAsk else {
            throw ValidationError("Standard input is not a terminal, so that the command cannot ask: add '--yes'.")
        }
    }

    /// Asks a question.
    ///
    /// - Throws: ``CommandError`` with `refusal` unless the answer is `y` or `yes`.
    func ask(_ question: String, refusal: String) throws(CommandError) {
        guard yes || Terminal.ask(question) else { throw CommandError(refusal) }
    }
}
