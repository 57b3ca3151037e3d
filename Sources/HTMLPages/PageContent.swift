struct PageContent: Sendable {
    private(set) var templates: [String: Template] = [:]
    /// The names of the templates that are not bundled, or replace bundled ones.
    private(set) var ownTemplates: Set<String> = []
    var files: StaticFiles
    private(set) var ignoredFiles: [String] = []

    static let bundledTemplates: [String: String] = {
        let names = [
            "page", "form", "form.state", "form.control", "form.row", "form.value", "login", "home", "register",
            "signup", "products", "product", "email", "forgot", "reset", "verify", "secondFactor", "factors", "account",
            "mailbox", "problem", "index", "docs", "docs.schema", "inspector", "alert", "paragraph", "part",
        ]
        return Dictionary(uniqueKeysWithValues: names.map { ($0, PackageResources.template($0)) })
    }()

    init(below prefix: String) throws {
        files = StaticFiles(below: prefix)
        for (name, text) in Self.bundledTemplates { try add(text.utf8, named: name) }
    }

    /// Adds templates by their name. They replace those with the same name.
    mutating func add(templates: [String: String]) throws {
        for (name, text) in templates {
            try add(text.utf8, named: name)
            ownTemplates.insert(name)
        }
    }

    /// Adds what folders contain, and checks the templates that are not bundled. Templates can contain the addresses of static files unless
    /// `canContainFiles` is `false`.
    mutating func read(_ folders: PageFolders, canContainFiles: Bool = true) throws {
        if let folder = folders.assets {
            let reader = try FolderReader(folder, accepts: StaticFiles.accepts)
            try files.add(reader.files)
            ignoredFiles += reader.ignored
        }
        let paths = try addTemplates(in: folders.templates)
        for name in ownTemplates.sorted() {
            if canContainFiles { try checkFiles(name, path: paths[name]) }
            try checkInclusions(name, path: paths[name])
        }
    }

    /// Returns the files of the templates by their names.
    private mutating func addTemplates(in folder: String?) throws -> [String: String] {
        guard let folder else { return [:] }
        var paths: [String: String] = [:]
        let reader = try FolderReader(folder) { $0.hasSuffix(Self.ending) && $0.isPathOfNames }
        ignoredFiles += reader.ignored
        for (file, content) in reader.files.sorted(by: { $0.key < $1.key }) {
            let (name, path) = (String(file.dropLast(Self.ending.count)), "\(folder)/\(file)")
            guard String(validating: content, as: UTF8.self) != nil else {
                throw HTMLFileError(path: path, reason: "expected a text in UTF-8")
            }
            try add(content, named: name, path: path)
            ownTemplates.insert(name)
            paths[name] = path
        }
        return paths
    }

    private static let ending = ".mustache"

    private mutating func add(_ text: some Sequence<UInt8>, named name: String, path: String? = nil) throws {
        templates[name] = try Template(text, named: name, path: path)
    }

    func reportsErrors(_ template: String) -> Bool {
        let parts = templates[template]?.allParts() ?? []
        return parts.contains { part in
            switch part {
            case .value(let name, _): name.parts.first == "errors"
            case .section(let name, _, _): name.parts == ["forms"] || name.parts.first == "errors"
            default: false
            }
        }
    }
}

// MARK: Checks

extension PageContent {
    /// Throws if a template contains the address of a static file that does not exist. The path is `nil` for a part of the program.
    private func checkFiles(_ name: String, path: String?) throws {
        for case .value(let value, _) in templates[name]?.allParts() ?? [] {
            let file = value.parts.dropFirst()
            guard value.parts.first == "assets", !file.isEmpty, !files.contains(file) else { continue }
            let shown = file.joined(separator: ".")
            throw HTMLTemplateError(name, path, at: value.place, "the assets contain no file '\(shown)'")
        }
    }

    /// Throws if a template includes one that does not exist, or itself without end. The path is as in ``checkFiles(_:path:)``.
    private func checkInclusions(_ name: String, path: String?) throws {
        for case .inclusion(let included, _) in templates[name]?.allParts() ?? [] {
            guard templates[included.text] == nil else { continue }
            throw HTMLTemplateError(name, path, at: included.place, "there is no template '\(included.text)'")
        }
        for inclusion in templates[name]?.inclusions ?? [] where includes(inclusion.text, name) {
            throw HTMLTemplateError(name, path, at: inclusion.place, "the template includes itself")
        }
    }

    /// Whether a template is another one, or includes it in any case.
    private func includes(_ template: String, _ other: String) -> Bool {
        var (reached, waiting): (Set<String>, [String]) = ([], [template])
        while let next = waiting.popLast() {
            if next == other { return true }
            if reached.insert(next).inserted { waiting += templates[next]?.inclusions.map(\.text) ?? [] }
        }
        return false
    }

    /// The outputs are `nil` for what is no page of the service. Throws if templates include each other without end.
    func render(
        _ template: String,
        _ context: [String: TemplateValue],
        _ outputs: ShownOutputs? = nil
    ) throws(HTMLTemplateError) -> [UInt8] {
        var renderer = TemplateRenderer(template, templates, context, outputs)
        try renderer.render(template)
        return renderer.output
    }
}

/// A template that cannot be used.
public struct HTMLTemplateError: Error, CustomStringConvertible {
    /// The template's name.
    public let template: String
    /// The template's file; `nil` if it is a part of the program.
    public let path: String?
    /// What is wrong, with the line if it is known.
    public let reason: String

    public var description: String { "the template '\(path ?? template)' is invalid: \(reason)" }
}

extension HTMLTemplateError {
    init(_ template: String, _ path: String?, at place: Template.Place, _ reason: String) {
        self.init(template: template, path: path, reason: "line \(place.line), column \(place.column): \(reason)")
    }
}
