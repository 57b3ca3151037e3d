extension ResponseRecorder {
    /// Expects all commands since the recorder was created.
    package func expect(_ commands: [Command], sourceLocation: SourceLocation = #_sourceLocation) {
        #expect(self.commands == commands, sourceLocation: sourceLocation)
    }
}
