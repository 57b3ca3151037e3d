import HTTPMessages
import Understudy

/// The static files, which are part of the program.
struct Assets: Sendable {
    /// A file with its two addresses: one for links that people write, and one that is never used for another content.
    struct File: Sendable {
        let path: String
        let versionedPath: String
        let content: StaticContent
    }

    private let files: [File]
    let script: File
    let style: File
    /// The files of the inspector; `nil` if pages have none.
    let inspector: Inspector?

    struct Inspector {
        let script: File
        /// Reports misspelt names. The script imports it.
        let names: File
        let style: File
    }
    /// Of the pages with a password only.
    let controls: File
    /// Of the pages with passkeys only.
    let passkeys: File
    /// The icon of the pages.
    let mark: File
    /// Of the page `/docs` only.
    let docsStyle: File
    let docsScript: File

    /// - Throws: ``/Understudy/GzipError`` if there is no memory.
    init(below prefix: String, hasInspector: Bool) throws {
        func script(_ name: String, _ content: [UInt8]) throws -> File {
            try File(name, "js", "text/javascript; charset=utf-8", content, prefix)
        }
        func style(_ name: String, _ content: [UInt8]) throws -> File {
            try File(name, "css", "text/css; charset=utf-8", content, prefix)
        }
        self.script = try script("understudy", PackageResources.file("understudy.js"))
        self.style = try style("understudy", PackageResources.file("understudy.css"))
        controls = try script("controls", PackageResources.file("controls.js"))
        passkeys = try script("passkeys", PackageResources.file("passkeys.js"))
        mark = try File("mark", "svg", "image/svg+xml", PackageResources.file("mark.svg"), prefix)
        docsStyle = try style("docs", PackageResources.file("docs.css"))
        docsScript = try script("docs", PackageResources.file("docs.js"))
        inspector =
            hasInspector
            ? Inspector(
                script: try script("inspector", PackageResources.file("inspector.js")),
                names: try script("names", PackageResources.file("names.js")),
                style: try style("inspector", PackageResources.file("inspector.css"))
            ) : nil
        files =
            [self.script, self.style, controls, passkeys, mark, docsStyle, docsScript]
            + (inspector.map { [$0.script, $0.names, $0.style] } ?? [])
    }

    /// The file with that address, of either kind; `nil` if no file has it.
    func file(at path: Substring) -> File? {
        guard path.utf8.last == UInt8(ascii: "s") || path.utf8.last == UInt8(ascii: "g") else { return nil }
        return files.first { $0.path == path || $0.versionedPath == path }
    }

    /// The bundled templates by name.
    static let templates: [String: String] = {
        let names = [
            "page", "form", "form.state", "form.control", "form.row", "login", "home", "register", "signup",
            "products", "product", "email", "forgot", "reset", "verify", "secondFactor", "factors", "account",
            "problem", "index", "docs", "inspector", "alert", "paragraph", "part",
        ]
        return Dictionary(uniqueKeysWithValues: names.map { ($0, PackageResources.template($0)) })
    }()
}

extension Assets.File {
    /// - Parameter isCompacted: whether the file is sent without indentation and comments.
    init(
        _ name: String,
        _ ending: String,
        _ contentType: ContentType,
        _ content: [UInt8],
        _ prefix: String,
        isCompacted: Bool = true
    ) throws {
        var headers: [(name: HeaderName, value: String)] = [
            // Other sites may import the module, and it contains nothing of a user.
            ("Cross-Origin-Resource-Policy", "cross-origin"), ("Access-Control-Allow-Origin", "*"),
        ]
        // A picture that is opened as a document must run no script.
        if contentType.description == "image/svg+xml" {
            headers.append(("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'; sandbox"))
        }
        self.content = try StaticContent(isCompacted ? content.compacted : content, contentType, headers: headers)
        path = "\(prefix)/\(name).\(ending)"
        versionedPath = "\(prefix)/\(name)-\(self.content.hash).\(ending)"
    }

    /// The response to a request for one of the file's addresses. Only a versioned address never gets another content.
    func response(to request: Request) -> Response {
        content.response(
            to: request,
            cacheControl: request.path == path ? "public, no-cache" : "public, max-age=31536000, immutable"
        )
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
}
