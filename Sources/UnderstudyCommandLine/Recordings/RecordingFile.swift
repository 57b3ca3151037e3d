import Glibc
import Understudy

/// Reads the file of a recording.
enum RecordingFile {
    /// The size at which a server ends a recording, in bytes.
    static let maximumSize = 16 << 20

    /// Why a file cannot be replayed.
    enum Failure: Error, CustomStringConvertible {
        /// The file cannot be read, for the system's reason.
        case unreadable(String)
        /// The file is larger than ``RecordingFile/maximumSize``.
        case tooLarge
        /// The file is not a recording, or not one that the pages can replay.
        case invalid(RecordingError)

        var description: String {
            switch self {
            case .unreadable(let reason): "the file cannot be read: \(reason)"
            case .tooLarge: "the file is larger than 16 MiB, the maximum of a recording"
            case .invalid(let error): error.description
            }
        }

        /// The description without the numbers of lines and events, which vary from file to file.
        var cause: String {
            switch self {
            case .invalid(.malformedLine): "a line is not a valid line of a recording"
            case .invalid(.unknownPage(let page, _)): "an event happened on the page '\(page)', which is not served"
            default: description
            }
        }
    }

    /// Reads a recording.
    ///
    /// - Parameter path: the path of a file, or `-` for standard input.
    /// - Throws: ``Failure`` if the file cannot be read, is larger than ``maximumSize``, or is not a recording.
    static func read(_ path: String) throws(Failure) -> Recording {
        try recording(bytes(of: path))
    }

    /// Reads the recordings that paths name, as ``RecordingSearch`` finds them.
    ///
    /// - Throws: ``CommandError`` if one of them cannot be read.
    static func readAll(_ paths: [String]) throws(CommandError) -> [Recording] {
        var recordings: [Recording] = []
        for file in try RecordingSearch(paths).files {
            do throws(Failure) {
                recordings.append(try read(file))
            } catch {
                throw .noRecordings("'\(file)' is not a recording that can be read: \(error).")
            }
        }
        return recordings
    }

    /// The recording in the contents of a file.
    static func recording(_ bytes: [UInt8]) throws(Failure) -> Recording {
        do {
            return try Recording(bytes)
        } catch {
            throw .invalid(error)
        }
    }

    /// The contents of a file, or of standard input for `-`.
    static func bytes(of path: String) throws(Failure) -> [UInt8] {
        do throws(FileContent.Failure) {
            return path == "-"
                ? try FileContent.bytes(from: STDIN_FILENO, atMost: maximumSize)
                : try FileContent.bytes(of: path, atMost: maximumSize)
        } catch {
            throw error.code == EFBIG ? .tooLarge : .unreadable(error.reason)
        }
    }
}
