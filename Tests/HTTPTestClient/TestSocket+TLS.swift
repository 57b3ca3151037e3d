internal import Glibc

extension TestSocket {
    /// A socket to an `openssl s_client` that has connected, or is about to. It ends with either side's connection.
    init(tlsPort port: UInt16, trusting certificate: String, options: [String]) throws(TestClientError) {
        var ends: [Int32] = [0, 0]
        let type = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
        guard socketpair(AF_UNIX, type, 0, &ends) == 0 else { throw .system("socketpair", errno) }
        // Otherwise the end of the stream would not arrive.
        defer { Glibc.close(ends[1]) }
        let arguments = [
            "s_client", "-connect", "127.0.0.1:\(port)", "-servername", "localhost", "-CAfile", certificate,
            "-verify_return_error", "-quiet", "-no_ign_eof", "-nocommands",
        ]
        do {
            _ = try ChildProcess(OpenSSL.path, arguments + options, input: ends[1], output: ends[1])
        } catch {
            Glibc.close(ends[0])
            throw error
        }
        self.init(descriptor: ends[0])
    }
}
