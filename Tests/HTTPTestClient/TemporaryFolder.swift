public import Foundation

/// A folder that is deleted with this object.
public final class TemporaryFolder: Sendable {
    public let url = FileManager.default.temporaryDirectory.resolvingSymlinksInPath()
        .appendingPathComponent("understudy-\(UUID().uuidString)")

    public init() {
        // If this fails, what uses the folder fails.
        try? FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    public var path: String { url.path }

    deinit { try? FileManager.default.removeItem(at: url) }

    /// Writes a file, and creates its folder.
    public func write(_ path: String, _ text: String) throws { try write(path, bytes: Array(text.utf8)) }

    /// Creates a file of zeros.
    public func write(_ path: String, size: Int) throws { try Data(count: size).write(to: place(path)) }

    public func write(_ path: String, bytes: [UInt8]) throws { try Data(bytes).write(to: place(path)) }

    /// Creates a symbolic link, and its folder.
    public func link(_ path: String, to target: String) throws {
        try FileManager.default.createSymbolicLink(atPath: place(path).path, withDestinationPath: target)
    }

    /// The absolute path of a file in the folder. Creates the folder that contains the file, but not the file.
    public func file(_ path: String) throws -> String { try place(path).path }

    func place(_ path: String) throws -> URL {
        let file = url.appendingPathComponent(path)
        try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        return file
    }
}
