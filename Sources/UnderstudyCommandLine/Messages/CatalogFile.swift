import BusinessLogic
import Understudy

/// A String Catalog on disk.
struct CatalogFile {
    let path: String
    /// The name of the setting that names the file; `nil` if an argument does.
    var setting: String?

    /// Reads the file, which may also contain an app's other texts.
    ///
    /// - Parameter catalog: the messages of the pages.
    /// - Throws: ``CommandError`` if it cannot be read, or contains what the service does not support.
    func read(for catalog: MessageCatalog) throws(CommandError) -> Translations {
        let name = "The file '\(path)'\(setting.map { " of '\($0)'" } ?? "")"
        let bytes: [UInt8]
        do { bytes = try FileContent.bytes(of: path) } catch {
            throw CommandError("\(name) cannot be read: \(error.reason).")
        }
        do {
            return try Translations(catalog: bytes, codes: Set(catalog.messages.map(\.code)))
        } catch {
            throw CommandError("\(name) cannot be used: \(error)")
        }
    }
}
