package import BusinessLogic
package import UnderstudyPages

extension Page {
    /// Commands as a recording contains them: without the texts of secret outputs.
    package func recorded(_ entries: ArraySlice<CommandHistory.Entry>) -> [Command] {
        if secretOutputs.isEmpty { return entries.map(\.command) }
        return entries.map { entry in
            guard case .render(let key, let value, nil) = entry.command, secretOutputs.contains(key) else {
                return entry.command
            }
            return .render(key: key, value: value.withoutTexts, message: nil)
        }
    }
}
