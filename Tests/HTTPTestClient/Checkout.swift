public import Foundation

/// The files of this checkout.
public enum Checkout {
    /// The folder with `Package.swift`.
    public static let root = URL(filePath: #filePath).appending(path: "../../../").standardized

    /// The text of a file, whose path begins at ``root``.
    public static func text(_ path: String) throws -> String {
        try String(contentsOf: root.appending(path: path), encoding: .utf8)
    }

    /// The paths of all files below a folder whose names have one of the suffixes, except those in `.build`.
    public static func files(below folder: String, endingIn suffixes: String...) throws -> [String] {
        try FileManager.default.subpathsOfDirectory(atPath: root.appending(path: folder).path)
            .filter { path in suffixes.contains { path.hasSuffix($0) } && !path.contains(".build/") }
            .sorted()
            .map { folder + "/" + $0 }
    }
}
