/// Why a recording cannot be read or replayed.
public enum RecordingError: Error, Equatable, CustomStringConvertible, Sendable {
    /// It does not start as a recording does.
    case noRecording
    /// It is written in a version of the format that this one cannot read.
    case otherFormat(Int)
    /// That line, counted from 1, is not what it has to be.
    case malformedLine(Int)
    /// That event, counted from 1, happened on a page that there is not.
    case unknownPage(String, event: Int)
    /// Its texts have been replaced, so that no test can expect them.
    case redacted
    /// Recordings cannot be written to that folder.
    case folder(String, reason: String)

    public var description: String {
        switch self {
        case .noRecording: "this is no recording: its first line does not begin as '{\"recording\":\(Recording.format)'"
        case .otherFormat(let format):
            "it has the format \(format), and those from 1 to \(Recording.format) can be read"
        case .malformedLine(let line): "line \(line) is not part of a recording"
        case .unknownPage(let page, let event): "event \(event) happened on a page '\(page)', which there is not"
        case .redacted: "it is redacted, so that no test can expect its texts; it can be replayed"
        case .folder(let path, let reason): "'\(path)' cannot be written to: \(reason)"
        }
    }
}
