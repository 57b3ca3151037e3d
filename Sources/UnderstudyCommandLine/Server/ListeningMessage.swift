import MicroHTTP
import Understudy

/// The lines that `serve` prints when the server listens.
struct ListeningMessage {
    private let database: String?
    private let sessionMode: SessionMode
    private let certificate: String?
    private let prefix: PathPrefix
    private let showsExample: Bool

    /// - Parameter hasLogin: whether there is a page `login`, for the example.
    init(_ settings: ServeSettings, hasLogin: Bool) {
        database = settings.accounts.database?.name
        sessionMode = settings.service.sessionMode
        certificate = settings.tls?.certificate
        prefix = settings.service.pathPrefix
        showsExample = settings.isDemo && hasLogin
    }

    func url(_ address: ServerAddress) -> String {
        address.path == nil ? "\(scheme)://\(address)\(prefix)" : "\(address)"
    }

    func lines(_ address: ServerAddress) -> [String] {
        var lines = ["Listening on \(Terminal.strong(url(address)))"]
        if let database {
            let content = sessionMode == .database ? "Accounts and sessions" : "Accounts"
            lines.append("\(content) are stored in \(database.printable)")
        }
        if showsExample { lines.append("Try: \(example(address))") }
        return lines
    }

    private var scheme: String { certificate == nil ? "http" : "https" }

    private func example(_ address: ServerAddress) -> String {
        let isHere = ["127.0.0.1", "0.0.0.0", "::"].contains(address.host)
        let host = isHere ? "localhost:\(address.port)" : "\(address)"
        var words = ["curl", "-d username=batman", "-d password=bruce"]
        if let certificate { words.append("--cacert \(certificate)") }
        if let path = address.path { words.append("--unix-socket \(path)") }
        words.append(
            (certificate == nil ? "" : "https://") + (address.path == nil ? host : "localhost") + "\(prefix)/login"
        )
        return words.joined(separator: " ")
    }
}
