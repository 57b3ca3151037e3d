import FoundationEssentials
import Glibc
import Understudy

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

    /// Reads the recording in a file, or in standard input for `-`.
    static func read(_ path: String) throws(Failure) -> Recording {
        let bytes: [UInt8]
        do throws(FileContent.Failure) {
            bytes =
                path == "-"
                ? try FileContent.bytes(from: Terminal.input, atMost: maximumSize)
                : try FileContent.bytes(of: path, atMost: maximumSize)
        } catch {
            throw error.code == EFBIG ? .tooLarge : .unreadable(error.reason)
        }
        do { return try Recording(bytes) } catch { throw .invalid(error) }
    }

    /// Finds the files that paths name: a folder means all files in it whose names end in `.jsonl`, and those in its subfolders; `-` means
    /// standard input. Links to folders are not followed. A file that several paths name is found once. An error has the status of
    /// `EX_NOINPUT` in sysexits.h.
    static func files(_ paths: [String]) throws(CommandError) -> [String] {
        var files: [String] = []
        // Device and number identify a file, whatever its path is. Those of standard input are 0.
        var known: Set<[UInt64]> = []
        for path in paths {
            var status = stat()
            guard path == "-" || stat(path, &status) == 0 else {
                throw CommandError("'\(path)' cannot be read: \(systemError()).", status: 66)
            }
            var found = [(path: path, status: status)]
            if status.st_mode & S_IFMT == S_IFDIR { found = try recordings(in: path) }
            for file in found where known.insert([UInt64(file.status.st_dev), UInt64(file.status.st_ino)]).inserted {
                files.append(file.path)
            }
        }
        return files
    }

    private static func recordings(in folder: String) throws(CommandError) -> [(path: String, status: stat)] {
        // With a slash, a link to a folder is followed.
        let prefix = folder.hasSuffix("/") ? folder : folder + "/"
        let names: [String]
        do {
            names = try FileManager.default.subpathsOfDirectory(atPath: prefix)
        } catch {
            throw CommandError("The folder '\(folder)' cannot be read: \(error.systemReason).", status: 66)
        }
        let found = names.sorted().filter { $0.hasSuffix(".jsonl") }.compactMap { name in
            var status = stat()
            // A file may be deleted during the search.
            let isFile = stat(prefix + name, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
            return isFile ? (path: prefix + name, status: status) : nil
        }
        if found.isEmpty {
            throw CommandError("The folder '\(folder)' contains no file whose name ends in '.jsonl'.", status: 66)
        }
        return found
    }
}
