import Foundation
import Glibc
package import HTTPTestClient

/// aiosmtpd in a process of its own, on a free port of this machine. The recipient's local part selects how it responds: see smtp-server.py.
package final class SMTPTestServer: Sendable {
    /// What the server was asked for.
    package struct Record: Decodable {
        /// `MAIL`, `AUTH`, or `DATA` with all of the following.
        package let command: String
        package let sender: String?
        package let recipients: [String]?
        /// What the client calls itself.
        package let client: String?
        package let user: String?
        package let isEncrypted: Bool?
        /// The fields, decoded.
        package let head: [String: String]?
        package let type: String?
        /// What Python has found wrong.
        package let defects: [String]?
        package let text: String?
        package let html: String?
        package let displayName: String?
        /// Seconds after 1970.
        package let date: Double?
        package let longestLine: Int?
    }

    package enum Protection: String {
        case none, startTLS, immediate
    }

    package let host: String
    package let port: UInt16
    let process: ChildProcess
    /// Closing it ends the server.
    let input: Int32
    private let output: Lines
    static let program = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "smtp-server.py")
        .path

    /// - Parameters:
    ///   - certificate: for the server's TLS.
    ///   - user: the user and the password that a client must give.
    package init(
        _ protection: Protection = .none,
        host: String = "127.0.0.1",
        certificate: TestCertificate? = nil,
        user: (name: String, password: String)? = nil
    ) async throws {
        self.host = host
        let options = [
            "host": host, "tls": protection.rawValue, "certificate": certificate?.certificatePath,
            "key": certificate?.keyPath,
            "user": user?.name, "password": user?.password,
        ].compactMapValues(\.self)
        let json = String(decoding: try JSONEncoder().encode(options), as: UTF8.self)
        var (inputs, outputs): ([Int32], [Int32]) = ([-1, -1], [-1, -1])
        guard pipe(&inputs) == 0, pipe(&outputs) == 0 else { throw TestClientError.system("pipe", errno) }
        for end in inputs + outputs { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        process = try ChildProcess(
            "/usr/bin/python3",
            ["-I", Self.program, json],
            input: inputs[0],
            output: outputs[1],
            errors: STDERR_FILENO
        )
        close(inputs[0])
        close(outputs[1])
        input = inputs[1]
        output = Lines(outputs[0])
        let line = try await output.next()
        guard let line, let port = UInt16(line) else {
            throw TestClientError.malformed("python3-aiosmtpd does not start")
        }
        self.port = port
    }

    /// Returns what the server is asked for next.
    package func next() async throws -> Record {
        guard let record = try await record() else { throw TestClientError.closed }
        return record
    }

    func record() async throws -> Record? {
        let line = try await output.next()
        return try line.map { try JSONDecoder().decode(Record.self, from: Data($0.utf8)) }
    }

    /// Ends the server, and returns what it was asked for.
    package func records() async throws -> [Record] {
        close(input)
        var records: [Record] = []
        while let record = try await record() { records.append(record) }
        _ = await process.end()
        return records
    }

    /// Ends the server, and returns the mails that it has received.
    package func mails() async throws -> [Record] { try await records().filter { $0.command == "DATA" } }
}

/// The lines of a pipe.
private final class Lines: Sendable {
    struct File: @unchecked Sendable {
        let pointer: UnsafeMutablePointer<FILE>?
    }

    let file: File

    init(_ descriptor: Int32) { file = File(pointer: fdopen(descriptor, "r")) }

    deinit { if let pointer = file.pointer { fclose(pointer) } }

    /// Returns the next line, without its end; `nil` after the last one.
    func next() async throws -> String? {
        try await offPool { [file] in
            var (line, size): (UnsafeMutablePointer<CChar>?, Int) = (nil, 0)
            defer { free(line) }
            guard let pointer = file.pointer, getline(&line, &size, pointer) > 0, let line else { return nil }
            return String(cString: line).trimmingCharacters(in: .newlines)
        }
    }
}
