import Foundation
import Understudy

/// A String Catalog on disk.
struct CatalogFile {
    let path: String

    /// Reads the file.
    ///
    /// - Throws: ``CommandError`` if it cannot be read, or is not a catalog that the service supports.
    func read() throws(CommandError) -> Translations {
        let data: Data
        do {
            data = try Data(contentsOf: URL(fileURLWithPath: path))
        } catch {
            throw CommandError("The file '\(path)' cannot be read.")
        }
        do {
            return try Translations(catalog: Array(data))
        } catch {
            throw CommandError("The file '\(path)' cannot be used: \(error)")
        }
    }
}
