import BusinessLogic
public import HTTPMessages
public import Understudy

/// Serves pages as HTML to browsers: forms that work without JavaScript, and `understudy.js` for those with it.
///
/// A request whose `Accept` prefers `text/html` to JSON gets HTML. All other requests get what they get without this, except that static
/// files are added: `understudy.js`, `understudy.css`, and below `/assets/` those of the embedder.
///
/// ```swift
/// configuration.browserPages = try HTMLPages(templates: ["login": template])
/// ```
///
/// The templates are written in [Mustache](https://mustache.github.io). `page` is the layout of all. A page of the service is rendered by the
/// template of its name or, without one, by `form`, which shows a form for each of its events. docs/browser.md lists what templates can use.
/// Use a value for one service only, because it learns which pages the service has.
public struct HTMLPages: BrowserPages {
    public let pathPrefix: PathPrefix
    var prefix: String { pathPrefix.description }
    let title: String
    /// Whether the bundled demonstration's user can log in.
    let isDemo: Bool
    let isDevelopment: Bool
    var hasInspector: Bool { isDemo || isDevelopment }
    let headers: [HeaderField]
    /// Whether browsers send cookies by TLS only.
    let isPublicAddressSecure: Bool
    /// The minimum number of characters of a new password, which pages state before a person chooses one; `nil` for no such rule.
    package var passwordMinimum: Int?
    /// Whether agents can use the service, so that its users can add them.
    package var servesAgents = false
    private(set) var labels: Labels
    private(set) var renderedDocs = ContentCache()
    let served = ServedPages()
    private(set) var content: PageContent
    /// The content without that of ``folders``.
    private let contentOfProgram: PageContent
    private let folders: PageFolders

    /// Loads the templates.
    ///
    /// - Parameters:
    ///   - title: the name of the application, which each page shows.
    ///   - templates: further templates by name, or replacements for the bundled ones. A template can include others: `{{>name}}`.
    ///   - assets: static files by their path: `images/logo.svg` is served at `/assets/images/logo.svg`. docs/browser.md lists their types.
    ///   - folders: folders with further templates and static files.
    ///   - imageOrigins: the other sites whose pictures pages may show.
    ///   - labels: texts of templates by their key. They replace bundled ones with the same key.
    ///   - prefix: the service's ``/Understudy/ServiceConfiguration/pathPrefix``.
    ///   - isDemo: whether the login page shows the demonstration's name and password, and each page has the inspector.
    ///   - isDevelopment: the service's ``/Understudy/ServiceConfiguration/isDevelopment``. Then each page has the inspector, and each
    ///     request reads the folders again.
    ///   - isPublicAddressSecure: the service's ``/Understudy/ServiceConfiguration/isPublicAddressSecure``.
    /// - Throws: ``HTMLTemplateError`` if a template is invalid; ``HTMLFileError`` if a static file or a folder cannot be used;
    ///   an error of zlib if there is no memory.
    public init(
        title: String = "Understudy",
        templates: [String: String] = [:],
        assets: [String: [UInt8]] = [:],
        folders: PageFolders = PageFolders(),
        imageOrigins: ImageOrigins = ImageOrigins(),
        labels: Translations = Translations(),
        below prefix: PathPrefix = PathPrefix(),
        isDemo: Bool = false,
        isDevelopment: Bool = false,
        isPublicAddressSecure: Bool = false
    ) throws {
        self.title = title
        pathPrefix = prefix
        self.isDemo = isDemo
        self.isDevelopment = isDevelopment
        headers = Self.headers(imageOrigins)
        self.isPublicAddressSecure = isPublicAddressSecure
        self.labels = try Labels(adding: labels)
        var content = try PageContent(below: prefix.description)
        try content.add(templates: templates)
        for file in BundledFile.allCases where isDemo || isDevelopment || !file.isOfInspector {
            try content.files.add(file)
        }
        try content.files.add(assets)
        contentOfProgram = content
        self.folders = folders
        try content.read(folders)
        self.content = content
    }

    /// Shows all texts in English, whatever language a browser prefers, as a service without translations does.
    package mutating func keepEnglish() { labels.keepEnglish() }

    /// The files in the folders that are not served, with the folder: those of other types, and those whose names addresses cannot contain.
    /// Hidden files are not among them.
    public var ignoredFiles: [String] { content.ignoredFiles }

    package var ownTemplates: Set<String> { content.ownTemplates }

    public func responds(to request: Request, isEvent: Bool) -> Bool {
        if request.prefersHTML { return true }
        guard !isEvent else { return false }
        let path = request.path
        return content.files.file(at: path) != nil || isDocs(path)
            || request.isReading && content.files.mayContain(path: path)
    }

    public func respond(to request: Request, service: @escaping (Request) async -> Response) async -> Response {
        guard isDevelopment, folders.templates != nil || folders.assets != nil else {
            return await respondWithContent(to: request, service)
        }
        do {
            let current = try await Task.detached { try reread() }.value
            return await current.respondWithContent(to: request, service)
        } catch {
            if request.isReading, let file = contentOfProgram.files.file(at: request.path) {
                return file.response(to: request)
            }
            return page(of: .json(["detail": .string("\(error)")], status: 500), request)
        }
    }

    public func response(for problem: Response, to request: Request) -> Response {
        request.prefersHTML ? page(of: problem, request) : problem
    }

    private func reread() throws -> HTMLPages {
        var pages = self
        pages.content = contentOfProgram
        try pages.content.read(folders)
        pages.renderedDocs = ContentCache()
        return pages
    }

    private func respondWithContent(to request: Request, _ service: @escaping Service) async -> Response {
        let file = content.files.file(at: request.path)
        if let file, request.isReading { return file.response(to: request) }
        // Responds to other methods as another document does that can only be read.
        let isDocument = !request.isReading && (file != nil || isDocs(request.path))
        let part = isDocument ? request.part(nil, "\(prefix)/openapi.json") : request.part()
        guard request.prefersHTML else { return await service(isDocument ? part : request) }
        await served.load("\(prefix)/", request, service)
        var exchange = BrowserExchange(self, request, service)
        if request.isReading { return await exchange.show() }
        guard !isDocument, request.method == .post, let form = BrowserForm(request) else {
            return exchange.page(of: await service(part))
        }
        return await exchange.submit(form)
    }

    func isDocs(_ path: Substring) -> Bool {
        path.utf8.starts(with: prefix.utf8) && path.utf8.dropFirst(prefix.utf8.count).elementsEqual("/docs".utf8)
    }

    func hasTemplate(_ name: String) -> Bool { content.templates[name] != nil }

    /// Whether the page's template, or `form` if it has none, shows errors about fields.
    func reportsErrors(_ page: String) -> Bool { content.reportsErrors(hasTemplate(page) ? page : "form") }
}
