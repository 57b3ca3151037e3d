/// Why a recording cannot be read or replayed.
public enum RecordingError: Error, Equatable, CustomStringConvertible, Sendable {
    /// The first line is not a recording's header.
    case noRecording
    /// The recording has a format that this version cannot read.
    case otherFormat(Int)
    /// A line, counted from 1, is not valid.
    case malformedLine(Int)
    /// An event, counted from 1, happened on a page that is not served.
    case unknownPage(String, event: Int)
    /// Recordings cannot be written to the folder.
    case folder(String, reason: String)

    public var description: String {
        switch self {
        case .noRecording:
            "this is not a recording: its first line does not begin with '{\"recording\":'"
        case .otherFormat(let format):
            "the recording has format \(format); this version reads format \(Recording.format)"
        case .malformedLine(let line): "line \(line) is not a valid line of a recording"
        case .unknownPage(let page, let event): "event \(event) happened on the page '\(page)', which is not served"
        case .folder(let path, let reason): "'\(path)' cannot be written to: \(reason)"
        }
    }
}
