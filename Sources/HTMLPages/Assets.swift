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

    /// A file of the program.
    enum Name: String, CaseIterable {
        case script = "understudy.js", style = "understudy.css"
        /// Of the pages with a password only.
        case controls = "controls.js"
        /// Of the pages with passkeys only.
        case passkeys = "passkeys.js"
        /// The icon of the pages.
        case mark = "mark.svg"
        /// Of the page `/docs` only.
        case docsStyle = "docs.css", docsScript = "docs.js"
        /// Of the inspector. Its script imports `names`, which reports misspelt names.
        case inspector = "inspector.js", names = "names.js", inspectorStyle = "inspector.css"

        fileprivate var isOfInspector: Bool { self == .inspector || self == .names || self == .inspectorStyle }
    }

    private let files: [Name: File]
    let hasInspector: Bool

    /// - Throws: ``/Understudy/GzipError`` if there is no memory.
    init(below prefix: String, hasInspector: Bool) throws {
        var files: [Name: File] = [:]
        for name in Name.allCases where hasInspector || !name.isOfInspector {
            files[name] = try File(name.rawValue, PackageResources.file(name.rawValue).compacted, prefix)
        }
        self.files = files
        self.hasInspector = hasInspector
    }

    /// The address of a file for pages; `nil` if it belongs to the inspector and pages have none.
    subscript(name: Name) -> String? { files[name]?.versionedPath }

    /// The file with that address, of either kind; `nil` if no file has it.
    func file(at path: Substring) -> File? {
        guard path.utf8.last == UInt8(ascii: "s") || path.utf8.last == UInt8(ascii: "g") else { return nil }
        return files.values.first { $0.path == path || $0.versionedPath == path }
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
    /// - Parameter path: the path below the prefix. Its ending must be one that ``StaticFiles`` knows.
    init(_ path: String, _ content: [UInt8], _ prefix: String) throws {
        let (name, ending) = StaticFiles.split(path)
        guard let contentType = ContentType(ofFileWithEnding: ending) else {
            throw HTMLFileError(path: path, reason: "expected \(StaticFiles.expected)")
        }
        var headers: [(name: HeaderName, value: String)] = [
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
