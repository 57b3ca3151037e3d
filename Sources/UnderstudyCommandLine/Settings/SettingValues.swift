import HTMLPages
import Logging
import MicroHTTP
import Understudy

/// The properties that one setting determines. The table sets them.
struct SettingValues {
    var isDemo = false
    var server = ServerConfiguration()
    var service = Application.current.serviceConfiguration
    /// The folders with templates and static files.
    var pageFolders = PageFolders()
    /// The other sites whose pictures pages may show.
    var imageOrigins = ImageOrigins()
    var passkeys = PasskeySite()
    /// Whether users who sign up must confirm their address.
    var confirmsAddresses = false
    /// The lowest level that is logged.
    var logLevel = Logger.Level.info
    var logFormat = LogFormat.json
    var hasAccessLog = true
    /// The folder in which sessions are recorded; `nil` if they are not.
    var recordings: String?
    /// The address for operators.
    var adminHost = ""
}
