internal import Foundation
internal import Glibc

extension TestSocket {
    /// A socket to an `openssl s_client` that has connected, or is about to. It ends with either side's connection.
    init(tlsPort port: UInt16, trusting certificate: String, options: [String]) throws(TestClientError) {
        var ends: [Int32] = [0, 0]
        let type = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
        guard socketpair(AF_UNIX, type, 0, &ends) == 0 else { throw .system("socketpair", errno) }
        _ = fcntl(ends[0], F_SETFL, O_NONBLOCK)
        let theirs = FileHandle(fileDescriptor: ends[1], closeOnDealloc: true)
        let process = Process()
        process.executableURL = URL(fileURLWithPath: OpenSSL.path)
        process.arguments =
            [
                "s_client", "-connect", "127.0.0.1:\(port)", "-servername", "localhost", "-CAfile", certificate,
                "-verify_return_error", "-quiet", "-no_ign_eof", "-nocommands",
            ] + options
        process.standardInput = theirs
        process.standardOutput = theirs
        process.standardError = FileHandle.nullDevice
        do {
            try process.run()
            // Else its end would not be seen.
            try theirs.close()
        } catch {
            Glibc.close(ends[0])
            throw .system("openssl", 0)
        }
        self.init(descriptor: ends[0])
    }
}
