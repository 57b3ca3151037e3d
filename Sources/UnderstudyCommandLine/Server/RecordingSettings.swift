import Understudy

/// The folder in which sessions are recorded.
struct RecordingSettings {
    let path: String
    /// Whether letters and digits are replaced, so that recordings do not identify people.
    let isRedacted: Bool

    /// The settings; `nil` if sessions are not recorded.
    ///
    /// - Parameter isForTests: whether only developers use the server, whose values need no redaction.
    init?(_ options: ObservabilityOptions, _ settings: SettingsReader, isForTests: Bool) throws {
        guard let path = try settings.value(options.record, Settings.record) else { return nil }
        self.path = path
        isRedacted = !isForTests
    }

    /// Returns the folder, and creates it if it is missing.
    ///
    /// - Throws: ``CommandError`` if the folder is not writable.
    func folder() throws(CommandError) -> RecordingFolder {
        do {
            return try RecordingFolder(path, isRedacted: isRedacted)
        } catch {
            throw CommandError("Sessions cannot be recorded: \(error).")
        }
    }
}
