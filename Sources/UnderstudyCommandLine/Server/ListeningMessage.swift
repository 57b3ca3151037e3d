import FoundationEssentials
import Glibc
import Logging
import HTTPMessages
import MicroHTTP
import Synchronization
import Understudy

/// What `serve` prints and logs when the server listens.
///
/// As text, all lines are for people. If the log is JSON, only the line with the address is printed, for a program that starts the server; the
/// log has the rest. Under systemd, which stores standard output with the log, nothing is printed then.
struct ListeningMessage {
    let settings: ServeSettings
    /// Whether there is a page `login`, for the example.
    let hasLogin: Bool

    private var showsExample: Bool { settings.isDemo && hasLogin }

    func url(_ address: ServerAddress) -> String {
        address.path == nil ? "\(scheme)://\(address)\(settings.service.pathPrefix)" : "\(address)"
    }

    /// The address for links, with the name of this machine under which a person opens it, because cookies are for one name.
    func linkAddress(_ address: ServerAddress) -> String {
        isHere(address) ? "\(scheme)://localhost:\(address.port)\(settings.service.pathPrefix)" : url(address)
    }

    private func isHere(_ address: ServerAddress) -> Bool { ["127.0.0.1", "0.0.0.0", "::"].contains(address.host) }

    func announce(_ address: ServerAddress, _ logger: Logger, isUnderSystemd: Bool) {
        switch settings.logFormat {
        case .text:
            Terminal.print(listening(address))
            if let database = settings.database?.name {
                let content = settings.service.sessionMode == .database ? "Accounts and sessions" : "Accounts"
                Terminal.print("\(content) are stored in \(database.printable)")
            }
            if showsExample { Terminal.print("Try: \(example(address))") }
        case .json:
            if !isUnderSystemd { Terminal.print(listening(address)) }
            var metadata: Logger.Metadata = ["address": "\(url(address))"]
            // By which `explain` finds the server that handled a request.
            metadata["host"] = "\(ProcessInfo.processInfo.hostName.printable)"
            metadata["process"] = "\(RequestID.processPrefix)"
            if let database = settings.database?.name { metadata["database"] = "\(database.printable)" }
            if showsExample { metadata["example"] = "\(example(address))" }
            logger.info("Listening", metadata: metadata)
        }
        // The server serves nevertheless, and its exit status is about that.
        let failure = Terminal.outputFailure.exchange(0, ordering: .relaxed)
        if failure != 0 {
            let reason: Logger.Metadata = ["reason": "\(systemError(failure))"]
            logger.warning("The address cannot be written to standard output", metadata: reason)
        }
    }

    private func listening(_ address: ServerAddress) -> String { "Listening on \(Terminal.strong(url(address)))" }

    private var scheme: String { settings.tls == nil ? "http" : "https" }

    private func example(_ address: ServerAddress) -> String {
        let host = isHere(address) ? "localhost:\(address.port)" : "\(address)"
        var words = ["curl", "-d username=batman", "-d password=bruce"]
        if let tls = settings.tls { words.append("--cacert \(tls.certificate)") }
        if let path = address.path { words.append("--unix-socket \(path)") }
        let authority = (settings.tls == nil ? "" : "https://") + (address.path == nil ? host : "localhost")
        return (words + ["\(authority)\(settings.service.pathPrefix)/login"]).joined(separator: " ")
    }
}
