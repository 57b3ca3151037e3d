import Foundation
import Glibc

/// A PostgreSQL of the test's own, in a temporary folder. It is stopped and removed at the end of the process or of the object.
package final class Cluster: Sendable {
    package enum StopMode: String {
        case fast, immediate
    }

    /// The cluster of the tests that do not stop theirs.
    package static let shared: Cluster = {
        do {
            atexit { Cluster.shared.remove() }
            return try Cluster()
        } catch {
            fatalError("cannot start PostgreSQL: \(error)")
        }
    }()

    package let folder: String
    /// Reserved, so that the server can start again.
    let reserved: ReservedPort
    package var port: UInt16 { reserved.number }
    /// The folder of the programs of the newest installed version, where Debian's package `postgresql` has them.
    let programs: String

    /// Whether the server accepts encrypted connections, as `localhost` with a certificate that is its own authority.
    package let isEncrypted: Bool

    /// Creates and starts a cluster. Everyone is trusted, but the user `guarded` needs the password `s3cr:et@/`.
    package init(isEncrypted: Bool = false) throws {
        self.isEncrypted = isEncrypted
        let parent = "/usr/lib/postgresql"
        let versions = try FileManager.default.contentsOfDirectory(atPath: parent).compactMap { Int($0) }
        programs = "\(parent)/\(versions.max() ?? 0)/bin"
        var template = Array("/tmp/understudy-postgresql-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw Command.Failure(arguments: ["mkdtemp"], status: errno) }
        folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        reserved = try ReservedPort()
        if getuid() == 0, let user = getpwnam("postgres") { chown(folder, user.pointee.pw_uid, user.pointee.pw_gid) }
        try Command.runAsDatabaseUser([
            "\(programs)/initdb", "-D", "\(folder)/data", "-A", "trust", "-U", "postgres", "-E", "UTF8",
            "--locale=C.UTF-8",
            "--no-sync", "--no-instructions",
        ])
        try Command.runAsDatabaseUser([
            "sh", "-c",
            "echo 'host all guarded all scram-sha-256' | cat - '\(folder)/data/pg_hba.conf' >'\(folder)/hba'",
        ])
        if isEncrypted {
            try Command.runAsDatabaseUser([
                "openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
                "-keyout", "\(folder)/data/server.key", "-out", "\(folder)/data/server.crt", "-subj", "/CN=localhost",
                "-addext", "subjectAltName=DNS:localhost", "-days", "2",
            ])
            try Command.run(["cp", "\(folder)/data/server.crt", certificate])
        }
        try start()
    }

    /// The file with the server's certificate.
    package var certificate: String { "\(folder)/server.crt" }

    deinit { remove() }

    package func start() throws {
        let options = [
            "-k \(folder)", "-p \(port)", "-h 127.0.0.1", "-c fsync=off", "-c max_connections=100",
            "-c shared_buffers=16MB",
            "-c hba_file=\(folder)/hba", "-c ssl=\(isEncrypted ? "on" : "off")",
        ]
        try Command.runAsDatabaseUser([
            "\(programs)/pg_ctl", "start", "-w", "-s", "-D", "\(folder)/data", "-l", "\(folder)/log", "-o",
            options.joined(separator: " "),
        ])
    }

    package func stop(_ mode: StopMode) throws {
        try Command.runAsDatabaseUser([
            "\(programs)/pg_ctl", "stop", "-w", "-s", "-D", "\(folder)/data", "-m", mode.rawValue,
        ])
    }

    /// Stops the processes without ending them, so that the server accepts connections and never responds.
    package func pause() throws { try signal(SIGSTOP) }

    /// Continues the processes.
    package func resume() throws { try signal(SIGCONT) }

    func signal(_ number: Int32) throws {
        guard let file = fopen("\(folder)/data/postmaster.pid", "r") else { return }
        defer { fclose(file) }
        var line = [CChar](repeating: 0, count: 32)
        fgets(&line, 32, file)
        let process = atoi(line)
        // A stopped server starts no more processes, but one of its processes may end before its signal is sent.
        let send = """
            kill -\(number) \(process)
            for child in $(cat /proc/\(process)/task/\(process)/children); do
                kill -\(number) $child || ! test -e /proc/$child
            done
            """
        try Command.runAsDatabaseUser(["sh", "-e", "-c", send])
    }

    func remove() {
        try? resume()
        try? stop(.immediate)
        try? Command.run(["rm", "-rf", folder])
    }

    /// The URI of a connection with TCP.
    package var uri: String { Self.uri(port) }

    /// The URI of a connection of the superuser to a port of this machine.
    package static func uri(_ port: UInt16, _ database: String = "postgres") -> String {
        "postgresql://postgres@127.0.0.1:\(port)/\(database)"
    }

    /// The URI of a connection with a Unix socket.
    package var socketURI: String { "postgresql://postgres@/postgres?host=\(folder)&port=\(port)" }
}
