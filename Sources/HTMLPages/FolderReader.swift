import FoundationEssentials

/// Reads the files of a folder and of the folders in it, except hidden ones.
struct FolderReader {
    /// The limits for a folder, so that one that is named by mistake does not fill the memory.
    static let maximumNumber = 1000
    static let maximumSize = 32 << 20
    static let maximumDepth = 8

    private let path: String
    private let folder: URL
    private let accepts: (String) -> Bool
    private(set) var files: [String: [UInt8]] = [:]
    private(set) var ignored: [String] = []
    private var number = 0
    private var remainingSize = maximumSize

    /// `accepts` gets paths in the folder.
    ///
    /// - Throws: ``HTMLFileError`` if the folder or a file in it cannot be read, if a symbolic link leads out of the folder or to nothing, or if the
    ///   folder contains more than ``maximumNumber`` files and folders, ``maximumSize`` bytes or ``maximumDepth`` levels.
    init(_ path: String, accepts: @escaping (String) -> Bool) throws {
        self.path = path
        folder = URL(fileURLWithPath: path).resolvingSymlinksInPath()
        self.accepts = accepts
        // An empty path would be the working directory.
        let isFolder =
            try !path.isEmpty
            && Self.attributes(of: folder, shownAs: path)[.type] as? FileAttributeType == .typeDirectory
        guard isFolder else { throw HTMLFileError(path: path, reason: "expected a folder") }
        try read(folder, "", shownAs: path, level: 1)
    }

    private mutating func read(_ url: URL, _ path: String, shownAs shown: String, level: Int) throws {
        guard level <= Self.maximumDepth else {
            throw HTMLFileError(path: shown, reason: "expected at most \(Self.maximumDepth) levels of folders")
        }
        guard let names = try? FileManager.default.contentsOfDirectory(atPath: url.path) else {
            throw HTMLFileError(path: shown, reason: "the folder cannot be read")
        }
        for name in names.sorted() where !name.hasPrefix(".") {
            number += 1
            guard number <= Self.maximumNumber else {
                throw HTMLFileError(path: self.path, reason: "expected at most \(Self.maximumNumber) files and folders")
            }
            let place = path.isEmpty ? name : "\(path)/\(name)"
            let target = url.appendingPathComponent(name).resolvingSymlinksInPath()
            let shown = "\(shown)/\(name)"
            guard target.pathComponents.starts(with: folder.pathComponents) else {
                throw HTMLFileError(path: shown, reason: "the symbolic link leads out of the folder")
            }
            let attributes = try Self.attributes(of: target, shownAs: shown)
            switch attributes[.type] as? FileAttributeType {
            case .typeDirectory: try read(target, place, shownAs: shown, level: level + 1)
            case .typeRegular where accepts(place):
                // Before it is read, because it may be larger than the memory.
                guard attributes[.size] as? UInt64 ?? 0 <= remainingSize else {
                    throw HTMLFileError(path: self.path, reason: "expected at most \(Self.maximumSize >> 20) MiB")
                }
                guard let content = FileManager.default.contents(atPath: target.path) else {
                    throw HTMLFileError(path: shown, reason: "the file cannot be read")
                }
                remainingSize -= content.count
                files[place] = Array(content)
            case .typeSymbolicLink: throw HTMLFileError(path: shown, reason: "the symbolic link leads to nothing")
            default: ignored.append(shown)
            }
        }
    }

    private static func attributes(of url: URL, shownAs path: String) throws -> [FileAttributeKey: Any] {
        do { return try FileManager.default.attributesOfItem(atPath: url.path) } catch {
            throw HTMLFileError(path: path, reason: "it does not exist, or cannot be read")
        }
    }
}
