internal import CMicroHTTPD

/// Asks a server that speaks TLS whether it is there. Not a client for anything secret: it believes whoever answers.
public enum TLSProbe {
    /// Why there was no answer.
    public struct Failure: Error, Equatable {
        /// Whether the socket's time was up.
        public let isTimeout: Bool
        /// What failed.
        public let reason: String
    }

    /// Sends a request, and receives the begin of its answer.
    ///
    /// - Parameters:
    ///   - socket: a connected socket that blocks, and stays the caller's.
    ///   - request: what to send.
    ///   - count: how many bytes to receive at the most.
    /// - Returns: what was received; nothing where the server closed the connection.
    public static func ask(socket: Int32, _ request: [UInt8], receiving count: Int) throws(Failure) -> [UInt8] {
        var answer = [UInt8](repeating: 0, count: count)
        let result = request.withUnsafeBytes { request in
            answer.withUnsafeMutableBytes { answer in
                CMicroHTTPD_ask(socket, request.baseAddress, request.count, answer.baseAddress, answer.count)
            }
        }
        guard result >= 0 else {
            throw Failure(isTimeout: result == GNUTLS_E_AGAIN, reason: String(cString: gnutls_strerror(Int32(result))))
        }
        return Array(answer[..<result])
    }
}
