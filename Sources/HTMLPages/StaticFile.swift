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
    /// A script or a style sheet without indentation, empty lines, lines that are comments, and spaces that separate nothing. The first line
    /// names the licence.
    ///
    /// No text in it may have several lines.
    func compacted(isScript: Bool) -> [UInt8] {
        let lines = split(separator: UInt8(ascii: "\n")).map {
            $0.drop { $0 == UInt8(ascii: "\t") || $0 == UInt8(ascii: " ") }
        }
        let kept = lines.enumerated().filter { index, line in
            let isComment =
                line.starts(with: "//".utf8) || line.starts(with: "/*".utf8) && line.suffix(2).elementsEqual("*/".utf8)
            return index == 0 || !line.isEmpty && !isComment
        }
        return kept.flatMap { index, line in
            (index > 0 ? line.withoutSpaces(isScript: isScript) : Array(line)) + [UInt8(ascii: "\n")]
        }
    }
}

extension ArraySlice<UInt8> {
    /// A line without spaces that separate nothing. Texts and patterns stay, and all from the first template to the end of the last one.
    fileprivate func withoutSpaces(isScript: Bool) -> [UInt8] {
        func needsSpace(_ byte: UInt8?, inStyleUnless others: String) -> Bool {
            guard let byte else { return false }
            return isScript ? byte.isLetter || byte.isDigit || "_$+-".utf8.contains(byte) : !others.utf8.contains(byte)
        }
        var result: [UInt8] = []
        var index = startIndex
        while index < endIndex {
            let byte = self[index]
            let isPattern = byte == UInt8(ascii: "/") && result.last.map { "(,=:!&|?{};[>".utf8.contains($0) } ?? true
            let isTemplate = byte == UInt8(ascii: "`")
            if isTemplate || "'\"".utf8.contains(byte) || isPattern {
                let end = isTemplate ? lastIndex(of: byte) : end(of: byte, after: index)
                result += self[index...(end ?? endIndex - 1)]
                index = end ?? endIndex
            } else if byte != UInt8(ascii: " ")
                || needsSpace(result.last, inStyleUnless: "{};,:")
                    && needsSpace(self[(index + 1)...].first, inStyleUnless: "{};,")
            {
                result.append(byte)
            }
            index += 1
        }
        return result
    }

    /// Where a text ends that a byte before began.
    private func end(of quote: UInt8, after start: Int) -> Int? {
        var index = start + 1
        while index < endIndex, self[index] != quote { index += self[index] == UInt8(ascii: "\\") ? 2 : 1 }
        return index < endIndex ? index : nil
    }
}
