import HTTPMessages
import Understudy

/// A static file with its two addresses: one for links that people write, and one that is never used for another content.
struct StaticFile: Sendable {
    let path: String
    let versionedPath: String
    private let content: StaticContent

    /// The path is below the prefix. Its ending must be one that ``StaticFiles`` knows.
    init(_ path: String, _ content: [UInt8], _ prefix: String) throws {
        let (name, ending) = StaticFiles.split(path)
        guard let contentType = ContentType(ofFileWithEnding: ending) else {
            throw HTMLFileError(path: path, reason: "expected \(StaticFiles.expected)")
        }
        var headers: [HeaderField] = [
            // Other sites may import the module, and it contains nothing of a user.
            ("Cross-Origin-Resource-Policy", "cross-origin"), ("Access-Control-Allow-Origin", "*"),
        ]
        // A picture that is opened as a document must run no script.
        if contentType.description == "image/svg+xml" {
            headers.append(("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'; sandbox"))
        }
        self.content = try StaticContent(content, contentType, headers: headers)
        self.path = "\(prefix)/\(path)"
        versionedPath = "\(prefix)/\(name)-\(self.content.hash).\(ending)"
    }

    /// Only a versioned address never gets another content.
    func response(to request: Request) -> Response {
        content.response(
            to: request,
            cacheControl: request.path == path ? "public, no-cache" : "public, max-age=31536000, immutable"
        )
    }
}

extension [UInt8] {
    /// A script or a style sheet without indentation, empty lines, and lines that are comments. The first line names the licence.
    ///
    /// No text in it may have several lines.
    var compacted: [UInt8] {
        let lines = split(separator: UInt8(ascii: "\n")).map {
            $0.drop { $0 == UInt8(ascii: "\t") || $0 == UInt8(ascii: " ") }
        }
        let kept = lines.enumerated().filter { index, line in
            let isComment =
                line.starts(with: "//".utf8) || line.starts(with: "/*".utf8) && line.suffix(2).elementsEqual("*/".utf8)
            return index == 0 || !line.isEmpty && !isComment
        }
        return kept.flatMap { $0.element + [UInt8(ascii: "\n")] }
    }
}
