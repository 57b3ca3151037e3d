import Foundation

/// The files of this checkout.
enum Checkout {
    static let root = (0..<4).reduce(URL(filePath: #filePath)) { url, _ in url.deletingLastPathComponent() }

    static func text(_ path: String) throws -> String {
        try String(contentsOf: root.appending(path: path), encoding: .utf8)
    }

    /// The paths of all files below a folder whose names have one of the suffixes, except those in `.build`.
    static func files(below folder: String, endingIn suffixes: String...) throws -> [String] {
        try FileManager.default.subpathsOfDirectory(atPath: root.appending(path: folder).path)
            .filter { path in suffixes.contains { path.hasSuffix($0) } && !path.contains(".build/") }
            .sorted()
            .map { folder + "/" + $0 }
    }
}
