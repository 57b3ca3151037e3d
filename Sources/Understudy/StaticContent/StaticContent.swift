package import HTTPMessages
import UnderstudyPages
import UnderstudySessions

/// Content that is the same for all clients: a static file or a document. It is compressed once, and then sent to those that accept that.
///
/// It must contain no secret: in a compressed body, next to text that a stranger chooses, the size would reveal it (BREACH).
package struct StaticContent: Sendable {
    /// The content with or without compression (RFC 9110, section 8.8.3.3).
    private struct Representation: Sendable {
        let body: [UInt8]
        /// A hash of the body, as 16 hexadecimal digits.
        let hash: String
        let common: CommonHeaders
        /// `gzip`, or `nil` without compression.
        let coding: String?

        init(_ body: [UInt8], _ headers: [HeaderField], coding: String?) {
            self.body = body
            self.coding = coding
            hash = String(SessionToken.hash(body).prefix(16))
            common = CommonHeaders([("ETag", "\"\(hash)\""), ("X-Content-Type-Options", "nosniff")] + headers)
        }
    }

    private let contentType: ContentType
    private let original: Representation
    private let compressed: Representation?

    package var hash: String { original.hash }

    /// Content of this many bytes or less is one packet without compression.
    private static let packetSize = 1024

    /// Compresses text of more than 1 KiB. The headers are those of all responses, without `Cache-Control`.
    package init(_ body: [UInt8], _ contentType: ContentType, headers: [HeaderField] = []) throws(GzipError) {
        self.contentType = contentType
        let gzip = contentType.isText && body.count > Self.packetSize ? try body.gzipped() : body
        guard gzip.count < body.count else {
            original = Representation(body, headers, coding: nil)
            compressed = nil
            return
        }
        let vary = headers.filter { $0.name == .vary }.map(\.value) + ["Accept-Encoding"]
        let headers = headers.filter { $0.name != .vary } + [(.vary, vary.joined(separator: ", "))]
        original = Representation(body, headers, coding: nil)
        compressed = Representation(gzip, headers, coding: "gzip")
    }

    /// The status is 304 if the client has this content already. Without `cacheControl`, a cache asks each time whether its copy is still valid.
    package func response(to request: Request, cacheControl: String = "no-cache") -> Response {
        let chosen = request.headers.acceptsGzip ? compressed ?? original : original
        var response = Response(status: 304, common: chosen.common, headers: [(.cacheControl, cacheControl)])
        if request.headers.matches("\"\(chosen.hash)\"") { return response }
        response.status = 200
        response.contentType = contentType
        if let coding = chosen.coding { response.headers.append(("Content-Encoding", coding)) }
        response.body = chosen.body
        return response
    }
}

extension ContentType {
    /// Compression makes text smaller.
    fileprivate var isText: Bool {
        let type = description.prefix { $0 != ";" }
        return type.hasPrefix("text/") || ["application/json", "application/yaml", "image/svg+xml"].contains(type)
    }
}

extension Headers {
    /// Whether `If-None-Match` contains the tag (RFC 9110, section 13.1.2), compared weakly.
    fileprivate func matches(_ eTag: String) -> Bool {
        values("If-None-Match").contains { value in
            value.split(separator: UInt8(ascii: ",")).contains { part in
                let tag = part.filter { $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: "\t") }
                return tag == [UInt8(ascii: "*")] || tag.elementsEqual(eTag.utf8) || tag.elementsEqual("W/\(eTag)".utf8)
            }
        }
    }
}
