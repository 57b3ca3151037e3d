package import Foundation

/// What tests do with files, which their paths identify.
package enum Files {
    static var manager: FileManager { .default }

    package static func remove(_ path: String) throws { try manager.removeItem(atPath: path) }
    package static func move(_ path: String, to other: String) throws {
        try manager.moveItem(atPath: path, toPath: other)
    }
    package static func copy(_ path: String, to other: String) throws {
        try manager.copyItem(atPath: path, toPath: other)
    }
    package static func exists(_ path: String) -> Bool { manager.fileExists(atPath: path) }
    package static func contents(_ path: String) -> Data? { manager.contents(atPath: path) }

    /// The names in a folder, in any order.
    package static func names(in folder: String) throws -> [String] { try manager.contentsOfDirectory(atPath: folder) }

    package static func create(_ path: String, _ contents: Data = Data()) -> Bool {
        manager.createFile(atPath: path, contents: contents)
    }
}
