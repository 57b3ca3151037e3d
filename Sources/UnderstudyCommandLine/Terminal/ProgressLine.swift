/// A line on standard error that is replaced while a command runs, if standard error is a terminal.
struct ProgressLine: Sendable {
    let isShown = Terminal.isErrorTerminal

    func show(_ text: String) {
        if isShown { Terminal.printProgress("\r\(text)\u{1B}[K") }
    }

    func clear() { show("") }
}
