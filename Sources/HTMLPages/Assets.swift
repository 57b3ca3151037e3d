import HTTPMessages

/// The static files, which are part of the program.
struct Assets: Sendable {
    /// A file with its two addresses: one for links that people write, and one that is never used for another content.
    struct File: Sendable {
        let path: String
        let versionedPath: String
        let contentType: ContentType
        let content: [UInt8]
        let eTag: String
        /// The header fields of a response to a request for ``path``, for which a browser asks each time whether its copy is still valid.
        let headers: CommonHeaders
        /// The header fields of a response to a request for ``versionedPath``.
        let versionedHeaders: CommonHeaders
    }

    private let files: [File]
    let script: File
    let style: File
    /// The files of the inspector; `nil` if pages have none.
    let inspector: Inspector?

    struct Inspector {
        let script: File
        /// Reports misspelt names.
        let names: File
        let style: File
    }
    /// Of the pages with a password only.
    let controls: File
    /// The icon of the pages.
    let mark: File
    /// Of the page `/docs` only.
    let docsStyle: File

    init(below prefix: String, hasInspector: Bool) {
        script = File("understudy", "js", "text/javascript; charset=utf-8", PackageResources.understudy_js, prefix)
        style = File("understudy", "css", "text/css; charset=utf-8", PackageResources.understudy_css, prefix)
        controls = File("controls", "js", "text/javascript; charset=utf-8", PackageResources.controls_js, prefix)
        mark = File("mark", "svg", "image/svg+xml", PackageResources.mark_svg, prefix)
        docsStyle = File("docs", "css", "text/css; charset=utf-8", PackageResources.docs_css, prefix)
        inspector =
            hasInspector
            ? Inspector(
                script: File(
                    "inspector",
                    "js",
                    "text/javascript; charset=utf-8",
                    PackageResources.inspector_js,
                    prefix
                ),
                names: File("names", "js", "text/javascript; charset=utf-8", PackageResources.names_js, prefix),
                style: File("inspector", "css", "text/css; charset=utf-8", PackageResources.inspector_css, prefix)
            ) : nil
        files =
            [script, style, controls, mark, docsStyle] + (inspector.map { [$0.script, $0.names, $0.style] } ?? [])
    }

    /// The file with that address, of either kind; `nil` if no file has it.
    func file(at path: Substring) -> File? {
        guard path.utf8.last == UInt8(ascii: "s") || path.utf8.last == UInt8(ascii: "g") else { return nil }
        return files.first { $0.path == path || $0.versionedPath == path }
    }

    /// The bundled templates by name.
    static let templates: [String: String] = [
        "page": PackageResources.page_mustache, "form": PackageResources.form_mustache,
        "form.state": PackageResources.form_state_mustache,
        "form.control": PackageResources.form_control_mustache, "form.row": PackageResources.form_row_mustache,
        "login": PackageResources.login_mustache, "home": PackageResources.home_mustache,
        "register": PackageResources.register_mustache, "signup": PackageResources.signup_mustache,
        "products": PackageResources.products_mustache, "product": PackageResources.product_mustache,
        "email": PackageResources.email_mustache, "problem": PackageResources.problem_mustache,
        "index": PackageResources.index_mustache, "docs": PackageResources.docs_mustache,
        "inspector": PackageResources.inspector_mustache, "alert": PackageResources.alert_mustache,
        "paragraph": PackageResources.paragraph_mustache, "part": PackageResources.part_mustache,
    ].mapValues { String(decoding: $0, as: UTF8.self) }
}

extension Assets.File {
    fileprivate init(
        _ name: String,
        _ ending: String,
        _ contentType: ContentType,
        _ content: [UInt8],
        _ prefix: String
    ) {
        let content = content.compacted
        let hash = content.hashText
        path = "\(prefix)/\(name).\(ending)"
        versionedPath = "\(prefix)/\(name)-\(hash).\(ending)"
        eTag = "\"\(hash)\""
        self.contentType = contentType
        self.content = content
        headers = CommonHeaders(ofFileWithETag: eTag, cacheControl: "public, no-cache")
        versionedHeaders = CommonHeaders(ofFileWithETag: eTag, cacheControl: "public, max-age=31536000, immutable")
    }

    /// The response to a request for one of the file's addresses.
    func response(to request: Request) -> Response {
        let common = request.path == path ? headers : versionedHeaders
        if request.headers.matches(eTag) { return Response(status: 304, common: common) }
        return Response(status: 200, contentType: contentType, common: common, body: content)
    }
}

extension CommonHeaders {
    fileprivate init(ofFileWithETag eTag: String, cacheControl: String) {
        self.init([
            (.cacheControl, cacheControl), ("ETag", eTag), ("X-Content-Type-Options", "nosniff"),
            // Other sites may import the module, and it contains nothing of a user.
            ("Cross-Origin-Resource-Policy", "cross-origin"), ("Access-Control-Allow-Origin", "*"),
        ])
    }
}

extension Headers {
    /// Whether `If-None-Match` contains the tag (RFC 9110, section 13.1.2).
    fileprivate func matches(_ eTag: String) -> Bool {
        values("If-None-Match").contains { value in
            value.split(separator: UInt8(ascii: ",")).contains { part in
                let text = String(decoding: part, as: UTF8.self).filter { $0 != " " }
                return text == "*" || text == eTag || text == "W/\(eTag)"
            }
        }
    }
}

extension [UInt8] {
    /// A script or a style sheet without indentation, empty lines and lines that are comments. The first line names the licence.
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

    /// A hash of the bytes, as 16 hexadecimal digits (64-bit FNV-1a): for files of the program's own, so that no collision can be made.
    fileprivate var hashText: String {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in self { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
        let digits = String(hash, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}
