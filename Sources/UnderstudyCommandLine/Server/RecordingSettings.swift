import ArgumentParser
import Understudy

/// The folder in which sessions are recorded.
struct RecordingSettings {
    let path: String
    let isRedacted: Bool

    /// The settings; `nil` if sessions are not recorded.
    ///
    /// - Throws: `ValidationError` if the server would record users' values without redaction.
    init?(_ options: ObservabilityOptions, _ settings: SettingsReader, isForTests: Bool) throws {
        let path = try settings.value(options.record, Settings.record)
        isRedacted = try settings.value(options.recordRedacted, Settings.recordRedacted)
        guard let path else { return nil }
        guard isForTests || isRedacted else {
            throw ValidationError(
                "'--record' would record what users enter: add '--record-redacted', or '--demo' or '--dev' if only developers use the server."
            )
        }
        self.path = path
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
