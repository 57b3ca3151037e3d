import ArgumentParser
import BusinessLogic
import CCurl
import Glibc

/// Sends requests to a server, each on a connection of its own. It does not verify certificates, so never send anything secret.
struct HTTPClient {
    struct Target: CustomStringConvertible {
        let host: String
        let port: UInt16
        /// The path of a Unix domain socket, which is used instead of host and port.
        var path: String?

        var description: String { path.map { "socket '\($0)'" } ?? "\(host) port \(port)" }

        /// The host and the port for a URL: an IPv6 address is in brackets, and `%` begins its zone.
        fileprivate var authority: String {
            let isIPv6 = host.utf8.contains(UInt8(ascii: ":"))
            return isIPv6 ? "[\(host.replacing("%", with: "%25"))]:\(port)" : "\(host):\(port)"
        }
    }

    /// The maximum number of bytes of a response, with its head.
    private static let maximumResponse = 16 << 20

    private let target: Target
    private let isEncrypted: Bool
    private let timeout: Duration

    init(_ target: Target, isEncrypted: Bool = false, timeout: Duration?) throws {
        (self.target, self.isEncrypted, self.timeout) = (target, isEncrypted, timeout ?? .seconds(3))
        guard self.timeout > .zero else { throw ValidationError("'--timeout' must be longer than 0.") }
    }

    /// The error of a command that names the server.
    func failure(_ reason: String) -> CommandError { CommandError("\(target): \(reason)") }

    struct Response {
        /// The first line; of a server that does not speak HTTP, the first line that it sends.
        let statusLine: String
        /// Whether it has the request ID that each response of Understudy has.
        let hasRequestID: Bool
        let body: String

        var isOK: Bool { statusLine.hasPrefix("HTTP/1.1 200") }

        fileprivate init(_ bytes: [UInt8]) {
            let end = bytes.firstRange(of: "\r\n\r\n".utf8)
            let head = String(decoding: bytes[..<(end?.lowerBound ?? bytes.endIndex)], as: UTF8.self)
            statusLine = String(decoding: bytes.prefix { $0 != UInt8(ascii: "\r") }, as: UTF8.self)
            hasRequestID = head.lowercased().utf8.firstRange(of: "\r\nx-request-id: ".utf8) != nil
            body = String(decoding: bytes[(end?.upperBound ?? bytes.endIndex)...], as: UTF8.self)
        }
    }

    /// The response to `GET`. Throws ``CommandError`` without a whole response within the timeout.
    func get(_ path: String) throws(CommandError) -> Response {
        guard let handle = curl_easy_init() else { throw failure("libcurl cannot be initialised") }
        // Every server of Understudy accepts this host.
        let headers = curl_slist_append(nil, "Host: localhost")
        defer {
            curl_slist_free_all(headers)
            curl_easy_cleanup(handle)
        }
        for (option, number) in [
            (CURLOPT_NOSIGNAL, 1), (CURLOPT_HTTP_VERSION, CURL_HTTP_VERSION_1_1), (CURLOPT_SSL_VERIFYPEER, 0),
            (CURLOPT_SSL_VERIFYHOST, 0),
            // With 0, it would wait for ever.
            (CURLOPT_TIMEOUT_MS, Int(max(1, min(timeout.wholeMilliseconds, Int64(Int32.max))))),
            // The first line of another protocol is a part of the error.
            (CURLOPT_HTTP09_ALLOWED, 1),
        ] { CCurl_setNumber(handle, option, number) }
        CCurl_setText(handle, CURLOPT_URL, "\(isEncrypted ? "https" : "http")://\(target.authority)\(path)")
        // Not that of the environment.
        CCurl_setText(handle, CURLOPT_PROXY, "")
        if let path = target.path { CCurl_setText(handle, CURLOPT_UNIX_SOCKET_PATH, path) }
        CCurl_setList(handle, CURLOPT_HTTPHEADER, headers)
        var received: [UInt8] = []
        let code = withUnsafeMutablePointer(to: &received) { received in
            CCurl_setReceiver(handle, received) { buffer, size, count, context in
                guard let buffer, let context else { return 0 }
                let received = context.assumingMemoryBound(to: [UInt8].self)
                // Another number than that of the bytes ends the transfer.
                guard received.pointee.count + size * count <= HTTPClient.maximumResponse else { return 0 }
                received.pointee += UnsafeRawBufferPointer(start: buffer, count: size * count)
                return size * count
            }
            return curl_easy_perform(handle)
        }
        guard code == CURLE_OK else { throw failure(Self.reason(code, Int32(CCurl_number(handle, CURLINFO_OS_ERRNO)))) }
        return Response(received)
    }

    private static func reason(_ code: CURLcode, _ errorNumber: Int32) -> String {
        switch code {
        case CURLE_OPERATION_TIMEDOUT: "no response in time"
        case CURLE_GOT_NOTHING: "it closed the connection without a response"
        case CURLE_COULDNT_CONNECT where errorNumber != 0: systemError(errorNumber)
        case CURLE_URL_MALFORMAT: "the host is not a host name"
        case CURLE_COULDNT_RESOLVE_HOST: "the host cannot be found"
        case CURLE_SSL_CONNECT_ERROR: "it does not use TLS"
        case CURLE_WEIRD_SERVER_REPLY: "its response is not HTTP"
        case CURLE_WRITE_ERROR: "its response is too long"
        case CURLE_PARTIAL_FILE, CURLE_RECV_ERROR, CURLE_SEND_ERROR: "it closed the connection in its response"
        default: "the request has failed (error \(code.rawValue) of libcurl)"
        }
    }
}
