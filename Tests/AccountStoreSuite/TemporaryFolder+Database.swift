import Foundation

extension TemporaryFolder {
    /// The path of a file of SQLite.
    package func database(_ name: String = "understudy.sqlite") -> String { "\(path)/\(name)" }

    /// The names of all files in the folder.
    package var names: [String] { (try? Files.names(in: path).sorted()) ?? [] }
}
