import HTMLPages
import MicroHTTP
import Understudy

/// The properties that one setting determines. The table fills them.
struct FilledSettings {
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
    var log = LogSettings()
    /// The folder in which sessions are recorded; `nil` if they are not.
    var recordings: String?
    /// The address for operators.
    var adminHost = ""
}
