import BusinessLogic
import HTTPMessages

/// The static files: those of the program, and scripts, styles, pictures and fonts of an embedder, which are served below `/assets/`.
struct StaticFiles: Sendable {
    private var files: [String: StaticFile] = [:]
    private let prefix: String
    /// It ends with a slash.
    private let root: String
    /// The addresses of these files, as templates name them: `assets.images.logo.svg`.
    private(set) var names = TemplateValue.names([:])

    init(below prefix: String) {
        self.prefix = prefix
        root = "\(prefix)/assets/"
    }

    /// Adds files of the embedder by their path, such as `images/logo.svg`. They replace those with the same path.
    mutating func add(_ contents: [String: [UInt8]]) throws {
        for (path, content) in contents.sorted(by: { $0.key < $1.key }) {
            guard Self.accepts(path) else { throw HTMLFileError(path: path, reason: "expected \(Self.expected)") }
            let file = try StaticFile("assets/\(path)", content, prefix)
            add(file)
            names.add(file.versionedPath, path.split { $0 == "/" || $0 == "." }.map { String($0) })
        }
    }

    mutating func add(_ file: BundledFile) throws {
        let content = file.parts.flatMap(PackageResources.file).compacted(isScript: file.rawValue.hasSuffix(".js"))
        add(try StaticFile(file.rawValue, content, prefix))
    }

    private mutating func add(_ file: StaticFile) {
        if let replaced = files[file.path] { files[replaced.versionedPath] = nil }
        files[file.path] = file
        files[file.versionedPath] = file
    }

    /// Only files of the embedder have such an address.
    func mayContain(path: Substring) -> Bool { path.utf8.starts(with: root.utf8) }

    /// The file with that address, of either kind; `nil` if no file has it.
    func file(at path: Substring) -> StaticFile? {
        // Asked for each request. No page has a dot in its name.
        let hasDot = path.utf8.withContiguousStorageIfAvailable { $0.contains(UInt8(ascii: ".")) }
        return hasDot == false ? nil : files[String(path)]
    }

    /// The address for pages of the embedder's file with that path; `nil` if there is no such file.
    subscript(path: String) -> String? { files[root + path]?.versionedPath }

    /// The address for pages of a file of the program; `nil` if it belongs to the inspector and pages have none.
    subscript(file: BundledFile) -> String? { files["\(prefix)/\(file.rawValue)"]?.versionedPath }

    func contains(_ parts: some Collection<String>) -> Bool {
        guard case .names(_, _?)? = parts.reduce(names, { $0?.member($1) }) else { return false }
        return true
    }

    static func accepts(_ path: String) -> Bool {
        path.isPathOfNames && ContentType(ofFileWithEnding: split(path).ending) != nil
    }

    static var expected: String {
        "a name of letters from a to z, digits, '.', '_' and '-' that ends with \(ContentType.fileEndings.joined(separator: ", "))"
    }

    static func split(_ path: String) -> (name: Substring, ending: String) {
        guard let dot = path.lastIndex(of: "."), !path[dot...].contains("/") else { return (path[...], "") }
        return (path[..<dot], String(path[path.index(after: dot)...]))
    }
}

enum BundledFile: String, CaseIterable {
    case script = "understudy.js", style = "understudy.css"
    /// Of the bundled pages with a form.
    case controls = "controls.js"
    /// Of the pages with lists of sessions, passkeys or mails only.
    case lists = "lists.js"
    /// Of the pages with passkeys only. It contains `controls` as well.
    case passkeys = "passkeys.js"
    case logo = "logo.svg"
    /// Of the page `/docs` only.
    case docsStyle = "docs.css", docsScript = "docs.js"
    /// Of the inspector. Its script imports `names`, which reports misspelt names.
    case inspector = "inspector.js", names = "names.js", inspectorStyle = "inspector.css"

    /// The files of the package that are served as one, which takes one request.
    var parts: [String] {
        switch self {
        case .controls: ["controls.js", "typed.js"]
        case .passkeys: ["controls.js", "passkeys.js"]
        default: [rawValue]
        }
    }

    var isOfInspector: Bool { self == .inspector || self == .names || self == .inspectorStyle }
}

/// A file or a folder that cannot be used.
public struct HTMLFileError: Error, Equatable, CustomStringConvertible {
    /// The path.
    public let path: String
    /// What is wrong.
    public let reason: String

    public var description: String { "'\(path)' cannot be used: \(reason)" }
}

extension TemplateValue {
    /// Adds a text below names: that of `images`, `logo` and `svg` is `images.logo.svg` for templates.
    mutating func add(_ text: String, _ names: some Collection<String>) {
        guard case .names(var members, let own) = self else { return }
        guard let first = names.first else { return self = .names(members, text: text) }
        members[first, default: .names([:])].add(text, names.dropFirst())
        self = .names(members, text: own)
    }
}

extension String {
    /// The names contain only characters that a template can name, and none is hidden.
    var isPathOfNames: Bool {
        split(separator: "/", omittingEmptySubsequences: false).allSatisfy { name in
            !name.isEmpty && name.first != "."
                && name.utf8.allSatisfy { $0.isUnreservedInURI && $0 != UInt8(ascii: "~") }
        }
    }
}

extension ContentType {
    private static let byEnding: [String: ContentType] = [
        "js": "text/javascript; charset=utf-8", "mjs": "text/javascript; charset=utf-8",
        "css": "text/css; charset=utf-8", "json": "application/json", "webmanifest": "application/manifest+json",
        "svg": "image/svg+xml", "png": "image/png", "jpg": "image/jpeg", "jpeg": "image/jpeg", "gif": "image/gif",
        "webp": "image/webp", "avif": "image/avif", "ico": "image/x-icon",
        "woff2": "font/woff2", "woff": "font/woff", "ttf": "font/ttf", "otf": "font/otf",
    ]

    fileprivate static var fileEndings: [String] { byEnding.keys.sorted() }

    /// `nil` if such files are not served.
    init?(ofFileWithEnding ending: String) {
        guard let type = Self.byEnding[ending.lowercased()] else { return nil }
        self = type
    }
}
