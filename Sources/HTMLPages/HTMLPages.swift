internal import BusinessLogic
public import HTTPMessages
internal import Mustache
public import Understudy

/// Serves pages as HTML to browsers: forms that work without JavaScript, and `understudy.js` for those with it.
///
/// A request whose `Accept` prefers `text/html` to JSON gets HTML. All other requests get what they get without this, except that two static
/// files are added, `understudy.js` and `understudy.css`.
///
/// ```swift
/// configuration.browserPages = try HTMLPages(templates: ["login": template])
/// ```
///
/// The templates are written in [Mustache](https://mustache.github.io). `page` is the layout of all. A page of the service is rendered by the
/// template of its name or, without one, by `form`, which shows a form for each of its events. docs/browser.md lists what templates can use.
public struct HTMLPages: BrowserPages {
    /// The path below which the service is.
    let prefix: String
    /// The name of the application.
    let title: String
    /// Whether the bundled demonstration's user can log in.
    let isDemo: Bool
    /// Whether the service is for the development of its pages.
    let isDevelopment: Bool
    /// The scheme of the addresses that a page shows as text.
    let scheme: String
    let assets: Assets
    let labels: Labels
    let renderedDocs = ContentCache()
    let served = ServedPages()
    private let library: MustacheLibrary
    /// The names of the templates that show errors about fields.
    private let reportingTemplates: Set<String>

    /// Loads the templates.
    ///
    /// - Parameters:
    ///   - title: the name of the application, which each page shows.
    ///   - templates: further templates by name, or replacements for the bundled ones. A template can include others: `{{>name}}`.
    ///   - labels: texts of templates by their key. They replace bundled ones with the same key.
    ///   - prefix: the service's ``/Understudy/ServiceConfiguration/pathPrefix``.
    ///   - isDemo: whether the login page shows the demonstration's name and password, and each page has the inspector.
    ///   - isDevelopment: the service's ``/Understudy/ServiceConfiguration/isDevelopment``. Each page has the inspector then.
    ///   - isPublicAddressSecure: the service's ``/Understudy/ServiceConfiguration/isPublicAddressSecure``.
    /// - Throws: ``HTMLTemplateError`` if a template is invalid; an error of zlib if there is no memory.
    public init(
        title: String = "Understudy",
        templates: [String: String] = [:],
        labels: Translations = Translations(),
        below prefix: PathPrefix = PathPrefix(),
        isDemo: Bool = false,
        isDevelopment: Bool = false,
        isPublicAddressSecure: Bool = false
    ) throws {
        self.title = title
        self.prefix = prefix.description
        self.isDemo = isDemo
        self.isDevelopment = isDevelopment
        scheme = isPublicAddressSecure ? "https" : "http"
        assets = try Assets(below: prefix.description, hasInspector: isDemo || isDevelopment)
        self.labels = try Labels(adding: labels)
        var all: [String: MustacheTemplate] = [:]
        let texts = Assets.templates.merging(templates) { _, replacement in replacement }
        reportingTemplates = Set(texts.filter { $0.value.contains("errors.") || $0.value.contains("#forms") }.keys)
        for (name, text) in texts {
            do {
                all[name] = try MustacheTemplate(string: text)
            } catch {
                throw HTMLTemplateError(template: name, error)
            }
        }
        library = MustacheLibrary(templates: all)
    }

    public func responds(to request: Request) -> Bool {
        request.prefersHTML || request.isReading && assets.file(at: request.path) != nil
    }

    public func respond(to request: Request, service: (Request) async -> Response) async -> Response {
        if request.isReading, let file = assets.file(at: request.path) { return file.response(to: request) }
        await served.load("\(prefix)/", request, service)
        if request.isReading { return await show(request, service) }
        guard request.method == .post, let form = BrowserForm(request) else {
            let response = await service(request.part(accepting: "application/json"))
            return response.isProblem ? pageLeadingBack(from: response, request) : response
        }
        return await submit(form, request, service)
    }

    /// Whether there is a template of that name.
    func hasTemplate(_ name: String) -> Bool { library.getTemplate(named: name) != nil }

    /// Whether the page's template, or `form` if it has none, shows errors about fields.
    func reportsErrors(_ page: String) -> Bool { reportingTemplates.contains(hasTemplate(page) ? page : "form") }

    /// The HTML of a template.
    func render(_ template: String, _ context: [String: Any]) -> [UInt8] {
        Array((library.render(context, withTemplate: template) ?? "").utf8)
    }
}

/// A template that cannot be used.
public struct HTMLTemplateError: Error, CustomStringConvertible {
    /// The template's name.
    public let template: String
    /// What is wrong, with the line if it is known.
    public let reason: String

    init(template: String, _ error: any Error) {
        self.template = template
        reason =
            if let error = error as? MustacheTemplate.ParserError {
                "line \(error.context.lineNumber), column \(error.context.columnNumber): \(error.error)"
            } else {
                "\(error)"
            }
    }

    public var description: String { "the template '\(template)' is invalid: \(reason)" }
}
