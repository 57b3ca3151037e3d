import BusinessLogic
import Understudy

extension Translations {
    /// Reads a String Catalog, which may also contain an app's other texts.
    ///
    /// - Parameters:
    ///   - path: the path of the file.
    ///   - setting: the name of the setting that names the file; `nil` if an argument does.
    ///   - catalog: the messages of the pages.
    /// - Throws: ``CommandError`` if it cannot be read, or contains what the service does not support.
    init(file path: String, setting: String? = nil, for catalog: MessageCatalog) throws(CommandError) {
        let name = "The file '\(path)'\(setting.map { " of '\($0)'" } ?? "")"
        let bytes: [UInt8]
        do { bytes = try FileContent.bytes(of: path) } catch {
            throw CommandError("\(name) cannot be read: \(error.reason).")
        }
        do {
            self = try Translations(catalog: bytes, codes: Set(catalog.messages.map(\.code)))
        } catch {
            throw CommandError("\(name) cannot be used: \(error)")
        }
    }
}
