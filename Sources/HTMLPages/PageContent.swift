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

    /// Adds what folders contain, and checks that the files exist that templates name.
    ///
    /// - Throws: ``HTMLTemplateError`` if a template is invalid; ``HTMLFileError`` if a folder or a file in it cannot be used.
    mutating func read(_ folders: PageFolders) throws {
        var paths: [String: String] = [:]
        if let folder = folders.assets {
            let reader = try FolderReader(folder, accepts: StaticFiles.accepts)
            try files.add(reader.files)
            ignoredFiles += reader.ignored
        }
        if let folder = folders.templates {
            let reader = try FolderReader(folder) { $0.hasSuffix(Self.ending) && $0.isPathOfNames }
            ignoredFiles += reader.ignored
            for (file, content) in reader.files {
                let (name, path) = (String(file.dropLast(Self.ending.count)), "\(folder)/\(file)")
                guard let text = String(validating: content, as: UTF8.self) else {
                    throw HTMLFileError(path: path, reason: "expected a text in UTF-8")
                }
                try add(text, named: name, path: path)
                ownTemplates.insert(name)
                paths[name] = path
            }
        }
        for name in ownTemplates.sorted() { try requireFiles(ofTemplate: name, path: paths[name]) }
    }

    private static let ending = ".mustache"

    private mutating func add(_ text: String, named name: String, path: String? = nil) throws {
        do {
            library.register(try MustacheTemplate(string: text), named: name)
        } catch let error as MustacheTemplate.ParserError {
            let place = "line \(error.context.lineNumber), column \(error.context.columnNumber)"
            throw HTMLTemplateError(template: name, path: path, reason: "\(place): \(error.error)")
        }
        let reports = text.contains("errors.") || text.contains("#forms")
        if reports { reportingTemplates.insert(name) } else { reportingTemplates.remove(name) }
    }

    /// Throws if a template contains the address of a static file that does not exist.
    private func requireFiles(ofTemplate name: String, path: String?) throws {
        let text = library.getTemplate(named: name)?.description ?? ""
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            for tag in line.matches(of: /\{\{[{&]?\s*assets\.([A-Za-z0-9._-]+)/)
            where !files.names.contains(tag.1.split(separator: ".")) {
                let column = line.distance(from: line.startIndex, to: tag.1.startIndex) + 1
                throw HTMLTemplateError(
                    template: name,
                    path: path,
                    reason: "line \(index + 1), column \(column): the assets contain no file '\(tag.1)'"
                )
            }
        }
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
