import Glibc
import Logging

/// The values of the settings of the log.
struct LogSettings {
    /// The lowest level that is logged.
    var level = Logger.Level.info
    var format = LogFormat.json
    var hasAccessLog = true

    private var style: LogStyle { LogStyle(format: format, hasColour: Terminal.showsColourOfErrors) }

    /// Starts a writer to standard error.
    func writer(loops: Int) -> LogWriter {
        LogWriter(STDERR_FILENO, style: style, buffers: loops)
    }

    /// The handler for swift-log.
    ///
    /// - Parameter level: the lowest level that is logged now.
    func handler(
        label: String,
        _ writer: LogWriter,
        level: AdjustableLevel,
        _ provider: Logger.MetadataProvider?
    ) -> LineLogHandler {
        var handler = LineLogHandler(label: label, level: level, style: style, writer: writer)
        handler.metadataProvider = provider
        return handler
    }

    /// The access log; `nil` if it is off.
    ///
    /// - Parameter level: the lowest level that is logged now.
    func accessLog(_ writer: LogWriter, level: AdjustableLevel) -> LineAccessLog? {
        hasAccessLog ? LineAccessLog(writer, level: level, style) : nil
    }
}
