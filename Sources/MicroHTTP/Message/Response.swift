internal import CMicroHTTPD
internal import Glibc

/// A response to a request.
public struct Response: Sendable {
    /// The status code, 200 to 599.
    public var status: Int
    /// The value of `Content-Type`; `nil` to leave out the field, as for a response without a body.
    public var contentType: ContentType?
    /// The header fields that the response has in common with others. Responses that differ only in their body and their
    /// ``requestID`` are the fastest: the server reuses what it has prepared for one of them.
    public var common: CommonHeaders?
    /// The value of `X-Request-ID`: the request's ``Request/id``; `nil` to send no such field.
    public var requestID: String?
    /// The other header fields. The server leaves out a field whose value contains CR or LF.
    public var headers: [(name: HeaderName, value: String)]
    /// The body; may be empty.
    public var body: [UInt8]

    /// Creates a response.
    public init(
        status: Int,
        contentType: ContentType? = nil,
        common: CommonHeaders? = nil,
        requestID: String? = nil,
        headers: [(name: HeaderName, value: String)] = [],
        body: [UInt8] = []
    ) {
        self.status = status
        self.contentType = contentType
        self.common = common
        self.requestID = requestID
        self.headers = headers
        self.body = body
    }

    /// All header fields, in order: the common ones, `X-Request-ID`, `Content-Type` and the others.
    public var fields: [(name: HeaderName, value: String)] {
        var fields = common?.fields ?? []
        if let requestID { fields.append((.xRequestID, requestID)) }
        if let contentType { fields.append((.contentType, contentType.description)) }
        return fields + headers
    }

    /// The value of the first header field of that name; `nil` if the response has no such field.
    public func header(_ name: HeaderName) -> String? {
        fields.first { $0.name == name }?.value
    }
}

extension Response {
    /// The whole message with `Connection: close`, for responses that the server sends without libmicrohttpd.
    var message: [CChar] {
        var lines = ["HTTP/1.1 \(status) \(String(cString: CMicroHTTPD_reason(UInt32(clamping: status))))"]
        lines += ["Date: \(httpDate())", "Connection: close", "Content-Length: \(body.count)"]
        // Leaves out fields that would end their line, as libmicrohttpd does.
        lines += fields.map { "\($0.name): \($0.value)" }.filter { !$0.utf8.contains(13) && !$0.utf8.contains(10) }
        return ((lines + ["", ""]).joined(separator: "\r\n").utf8 + body).map(CChar.init(bitPattern:))
    }
}

/// The time, as in the header field `Date` (RFC 9110, section 5.6.7).
private func httpDate() -> String {
    var (now, parts) = (time(nil), tm())
    gmtime_r(&now, &parts)
    let (days, months) = ("SunMonTueWedThuFriSat", "JanFebMarAprMayJunJulAugSepOctNovDec")
    func name(_ index: Int32, in names: String) -> Substring { names.dropFirst(3 * Int(index)).prefix(3) }
    func two(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }
    return "\(name(parts.tm_wday, in: days)), \(two(parts.tm_mday)) \(name(parts.tm_mon, in: months)) "
        + "\(1900 + parts.tm_year) \(two(parts.tm_hour)):\(two(parts.tm_min)):\(two(parts.tm_sec)) GMT"
}

/// The value of a `Content-Type` header, written as a literal.
public struct ContentType: Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
    /// The value, which ends with a zero byte in memory.
    let value: StaticString

    /// Creates the content type that a literal contains.
    public init(stringLiteral value: StaticString) {
        self.value = value
    }

    public var description: String { value.description }

    /// JSON.
    public static let json: ContentType = "application/json"
    /// Plain text.
    public static let text: ContentType = "text/plain; charset=utf-8"
}
