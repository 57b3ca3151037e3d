import MicroHTTP
import Understudy

/// What a person is told when the server listens.
struct Announcement {
    private let isDemo: Bool
    private let database: String?
    private let certificate: String?
    private let prefix: PathPrefix

    init(_ plan: ServePlan) {
        isDemo = plan.isDemo
        database = plan.stage.database?.path
        certificate = plan.tls?.certificate
        prefix = plan.service.pathPrefix
    }

    func url(_ address: ServerAddress) -> String {
        address.path == nil ? "\(scheme)://\(address)\(prefix)" : "\(address)"
    }

    func lines(_ address: ServerAddress) -> [String] {
        var lines = ["Listening on \(Terminal.strong(url(address)))"]
        if let database { lines.append("Accounts are kept in \(database.printable)") }
        if isDemo { lines.append("Try: \(example(address))") }
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
