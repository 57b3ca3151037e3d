internal import CMicroHTTPD

/// Checks whether a TLS server responds. It does not verify the server's certificate, so never send anything secret.
package enum TLSProbe {
    /// Why there was no response.
    package struct Failure: Error, Equatable {
        /// Whether the socket's timeout has passed.
        package let isTimeout: Bool
        /// A description of the failure, in the words of GnuTLS.
        package let reason: String
    }

    /// Sends a request, and receives the beginning of the response.
    ///
    /// - Parameters:
    ///   - socket: a connected, blocking socket. The caller closes it.
    ///   - request: what to send.
    ///   - count: the largest number of bytes to receive.
    /// - Returns: the received bytes; empty if the server closed the connection.
    /// - Throws: ``Failure`` if the request failed before a byte arrived.
    package static func ask(socket: Int32, _ request: [UInt8], receiving count: Int) throws(Failure) -> [UInt8] {
        var response = [UInt8](repeating: 0, count: count)
        let result = request.withUnsafeBytes { request in
            response.withUnsafeMutableBytes { response in
                CMicroHTTPD_ask(socket, request.baseAddress, request.count, response.baseAddress, response.count)
            }
        }
        guard result >= 0 else {
            throw Failure(isTimeout: result == GNUTLS_E_AGAIN, reason: String(cString: gnutls_strerror(Int32(result))))
        }
        return Array(response[..<result])
    }
}
