import Mustache

/// The templates, and the static files of the embedder.
struct PageContent: Sendable {
    private(set) var library: MustacheLibrary
    /// The names of the templates that show errors about fields.
    private(set) var reportingTemplates: Set<String>
    /// The names of the templates that are not bundled, or replace bundled ones.
    private(set) var ownTemplates: Set<String> = []
    var files: StaticFiles
    /// The files in folders that are not served, with the folder.
    private(set) var ignoredFiles: [String] = []

    /// The content with the bundled templates only.
    init(below prefix: String) throws {
        library = MustacheLibrary()
        reportingTemplates = []
        files = StaticFiles(below: prefix)
        for (name, text) in Assets.templates { try add(text, named: name) }
    }

    /// Adds templates by their name. They replace those with the same name.
    ///
    /// - Throws: ``HTMLTemplateError`` if a template is invalid.
    mutating func add(templates: [String: String]) throws {
        for (name, text) in templates {
            try add(text, named: name)
            ownTemplates.insert(name)
        }
    }

    /// Adds what folders contain, and checks the templates that are not bundled.
    ///
    /// - Throws: ``HTMLTemplateError`` if a template is invalid; ``HTMLFileError`` if a folder or a file in it cannot be used.
    mutating func read(_ folders: PageFolders) throws {
        if let folder = folders.assets {
            let reader = try FolderReader(folder, accepts: StaticFiles.accepts)
            try files.add(reader.files)
            ignoredFiles += reader.ignored
        }
        let paths = try addTemplates(in: folders.templates)
        for name in ownTemplates.sorted() {
            try checkFiles(name, path: paths[name])
            try checkInclusions(name, path: paths[name])
        }
    }

    /// Adds the templates that a folder contains, for what cannot contain static files.
    ///
    /// - Throws: as ``read(_:)``.
    mutating func readTemplates(in folder: String?) throws {
        let paths = try addTemplates(in: folder)
        for name in ownTemplates.sorted() { try checkInclusions(name, path: paths[name]) }
    }

    /// Returns the files of the templates by their names.
    private mutating func addTemplates(in folder: String?) throws -> [String: String] {
        guard let folder else { return [:] }
        var paths: [String: String] = [:]
        let reader = try FolderReader(folder) { $0.hasSuffix(Self.ending) && $0.isPathOfNames }
        ignoredFiles += reader.ignored
        for (file, content) in reader.files.sorted(by: { $0.key < $1.key }) {
            let (name, path) = (String(file.dropLast(Self.ending.count)), "\(folder)/\(file)")
            guard let text = String(validating: content, as: UTF8.self) else {
                throw HTMLFileError(path: path, reason: "expected a text in UTF-8")
            }
            guard Tag.depth(of: text) <= Self.maximumDepth else {
                throw HTMLFileError(path: path, reason: "expected at most \(Self.maximumDepth) tags in each other")
            }
            try add(text, named: name, path: path)
            ownTemplates.insert(name)
            paths[name] = path
        }
        return paths
    }

    private static let ending = ".mustache"
    /// How many tags of a template may be in each other: the parser and the renderer call themselves for each.
    private static let maximumDepth = 100

    private mutating func add(_ text: String, named name: String, path: String? = nil) throws {
        do {
            library.register(try MustacheTemplate(string: text), named: name)
        } catch let error as MustacheTemplate.ParserError {
            let place = "line \(error.context.lineNumber), column \(error.context.columnNumber)"
            throw HTMLTemplateError(
                template: name,
                path: path,
                reason: "\(place): \(Self.description(of: error.error))"
            )
        }
        let reports = text.contains("errors.") || text.contains("#forms")
        if reports { reportingTemplates.insert(name) } else { reportingTemplates.remove(name) }
    }

    private static func description(of error: any Error) -> String {
        switch error as? MustacheTemplate.Error {
        case .sectionCloseNameIncorrect: "the closing tag does not belong to the tag that is open"
        case .unfinishedName: "expected a name and '}}'"
        case .expectedSectionEnd: "expected a closing tag"
        default: "\(error)"
        }
    }
}

// MARK: Checks

extension PageContent {
    /// Throws if a template contains the address of a static file that does not exist.
    ///
    /// - Parameter path: the template's file; `nil` if it is a part of the program.
    private func checkFiles(_ name: String, path: String?) throws {
        let text = text(of: name)
        for tag in Tag.all(of: text) where tag.isVariable && tag.name.hasPrefix("assets.") {
            let file = tag.name.dropFirst("assets.".count)
            guard !files.names.contains(file.split(separator: ".")) else { continue }
            throw HTMLTemplateError(name, path, at: tag, in: text, "the assets contain no file '\(file)'")
        }
    }

    /// Throws if a template includes itself without end.
    ///
    /// - Parameter path: the template's file; `nil` if it is a part of the program.
    private func checkInclusions(_ name: String, path: String?) throws {
        let text = text(of: name)
        for tag in Tag.included(by: text) where includes(String(tag.name), name) {
            throw HTMLTemplateError(name, path, at: tag, in: text, "the template includes itself")
        }
    }

    /// Whether a template is another one, or includes it in any case.
    private func includes(_ template: String, _ other: String) -> Bool {
        var (reached, waiting): (Set<String>, [String]) = ([], [template])
        while let next = waiting.popLast() {
            if next == other { return true }
            if reached.insert(next).inserted { waiting += Tag.included(by: text(of: next)).map { String($0.name) } }
        }
        return false
    }

    private func text(of template: String) -> String { library.getTemplate(named: template)?.description ?? "" }
}

/// A tag of a template.
private struct Tag {
    /// The character after the braces; a space if the tag begins with its name.
    let kind: Character
    let name: Substring

    var isVariable: Bool { kind == " " || kind == "{" || kind == "&" }

    static func all(of text: String) -> [Tag] {
        text.split(separator: "{{", omittingEmptySubsequences: false).dropFirst().map { part in
            let tag = part.prefix { $0 != "}" }.drop(while: \.isWhitespace)
            let kind = tag.first.flatMap { "#^$<>/{&!=".contains($0) ? $0 : nil }
            let name = kind == nil ? tag : tag.dropFirst().drop(while: \.isWhitespace)
            return Tag(kind: kind ?? " ", name: name.prefix { !$0.isWhitespace })
        }
    }

    /// The maximum number of open tags.
    static func depth(of text: String) -> Int {
        var (depth, maximum) = (0, 0)
        for tag in all(of: text) {
            depth += "#^<$".contains(tag.kind) ? 1 : tag.kind == "/" ? -1 : 0
            maximum = max(maximum, depth)
        }
        return maximum
    }

    /// The tags that include other templates, except those in sections, which may end.
    static func included(by text: String) -> [Tag] {
        var included: [Tag] = []
        var openSections: [Bool] = []
        for tag in all(of: text) {
            if "<>".contains(tag.kind), !openSections.contains(true) { included.append(tag) }
            switch tag.kind {
            case "#", "^": openSections.append(true)
            case "<", "$": openSections.append(false)
            case "/": _ = openSections.popLast()
            default: break
            }
        }
        return included
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
    /// - Parameter tag: the tag of `text` that is wrong.
    fileprivate init(_ template: String, _ path: String?, at tag: Tag, in text: String, _ reason: String) {
        let before = text[..<tag.name.startIndex]
        let line = before.count(where: \.isNewline) + 1
        let column = before.reversed().prefix { !$0.isNewline }.count + 1
        self.init(template: template, path: path, reason: "line \(line), column \(column): \(reason)")
    }
}
