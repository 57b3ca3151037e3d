import BusinessLogic
import Foundation
import Understudy

/// A String Catalog on disk.
struct CatalogFile {
    let path: String

    /// Reads the file, which may also contain an app's other texts.
    ///
    /// - Parameter catalog: the messages of the pages.
    /// - Throws: ``CommandError`` if it cannot be read, or contains what the service does not support.
    func read(for catalog: MessageCatalog) throws(CommandError) -> Translations {
        let data: Data
        do {
            data = try Data(contentsOf: URL(fileURLWithPath: path))
        } catch {
            throw CommandError("The file '\(path)' cannot be read.")
        }
        do {
            return try Translations(catalog: Array(data), codes: Set(catalog.messages.map(\.code)))
        } catch {
            throw CommandError("The file '\(path)' cannot be used: \(error)")
        }
    }
}
