/// An nginx process with the configuration in a folder of Examples.
final class NginxProcess {
    let workplace = Workplace()
    let process: Int32

    static let executable = "/usr/sbin/nginx"

    static var isInstalled: Bool { FileManager.default.isExecutableFile(atPath: executable) }

    /// - Parameter replacements: texts of the configuration, and what replaces each of them.
    init(_ example: String, _ replacements: [(String, String)]) async throws {
        let folder = Checkout.root.appending(path: "Examples/\(example)").path
        for file in try Files.names(in: folder) where file.hasSuffix(".conf") {
            let text = try Checkout.text("Examples/\(example)/\(file)")
            let all = [("daemon off;", "daemon on;")] + replacements
            try workplace.file(file, all.reduce(text) { $0.replacing($1.0, with: $1.1) })
        }
        // The first process of a daemon ends when the daemon listens.
        let place = workplace.folder.path
        let start = try ChildProcess(Self.executable, ["-p", place, "-c", place + "/nginx.conf"])
        try #require(await start.end() == .exit(0))
        process = try #require(Int32(workplace.text("nginx.pid").trimmingCharacters(in: .whitespacesAndNewlines)))
    }

    func stop() { kill(process, SIGTERM) }
}
