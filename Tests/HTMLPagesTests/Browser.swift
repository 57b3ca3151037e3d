/// A browser without JavaScript, which keeps cookies and does not follow redirections.
final class Browser {
    let service: UnderstudyService
    var cookies: [String: String] = [:]
    /// What it sends with each request.
    var headers: [(name: HeaderName, value: String)] = [
        ("Accept", "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8")
    ]

    init(_ service: UnderstudyService) { self.service = service }

    /// A browser of a service with these pages.
    ///
    /// - Parameter content: how the pages are shown, otherwise as in the demo.
    convenience init(
        _ pages: [Page] = Page.demo(),
        as content: HTMLPages? = nil,
        below prefix: PathPrefix = PathPrefix(),
        _ change: (inout ServiceConfiguration) -> Void = { _ in }
    ) throws {
        self.init(
            try UnderstudyService(pages: pages) {
                $0.translations = .bundled
                $0.pathPrefix = prefix
                $0.browserPages = try content ?? HTMLPages(below: prefix, isDemo: true)
                change(&$0)
            }
        )
    }

    func get(_ path: String, _ method: Method = .get) async -> Answer {
        await send(Request(method, path, headers: Headers(headers + cookieHeader)))
    }

    func post(_ path: String, _ form: String) async -> Answer {
        let type: (name: HeaderName, value: String) = ("Content-Type", "application/x-www-form-urlencoded")
        return await send(Request(.post, path, headers: Headers(headers + cookieHeader + [type]), body: form.bytes))
    }

    /// Posts a form, and opens the page to which the response leads.
    func submit(_ path: String, _ form: String) async -> Answer {
        let answer = await post(path, form)
        return if let location = answer.location { await get(location) } else { answer }
    }

    /// Asks for pages in German from now on.
    func speakGerman() { headers.append(("Accept-Language", "de")) }

    /// Logs in with a form that is the same each time.
    @discardableResult
    func logIn() async -> Answer { await post("/login", "_key=l&username=batman&password=bruce") }

    var cookieHeader: [(name: HeaderName, value: String)] {
        cookies.isEmpty ? [] : [(.cookie, cookies.map { "\($0)=\($1)" }.joined(separator: "; "))]
    }

    func send(_ request: Request) async -> Answer {
        let answer = Answer(await service.respond(to: request))
        for field in answer.response.fields where field.name == .setCookie {
            let pair = field.value.prefix { $0 != ";" }.split(separator: "=", maxSplits: 1)
            cookies[String(pair[0])] = pair.count == 2 ? String(pair[1]) : nil
        }
        return answer
    }
}

struct Answer {
    let response: Response

    init(_ response: Response) { self.response = response }

    /// Where a response leads with status 303.
    var location: String? { status == 303 ? header("Location") : nil }
    var status: Int { response.status }
    var text: String { response.body.text }
    var isHTML: Bool { header("Content-Type") == "text/html; charset=utf-8" }

    func header(_ name: HeaderName) -> String? { response.header(name) }

    /// Expects that the page contains the texts, and not the others, and has the status.
    func expect(
        _ texts: [String] = [],
        without others: [String] = [],
        status: Int = 200,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        #expect(self.status == status, sourceLocation: sourceLocation)
        for text in texts { #expect(self.text.contains(text), "\(text)", sourceLocation: sourceLocation) }
        for text in others { #expect(!self.text.contains(text), "\(text)", sourceLocation: sourceLocation) }
    }
}

extension TemporaryFolder {
    /// Why templates and files cannot be used, with `FOLDER` as the path of this folder.
    func reason(_ folders: PageFolders) -> String {
        do {
            _ = try HTMLPages(folders: folders)
            return ""
        } catch {
            return "\(error)".replacing(path, with: "FOLDER")
        }
    }
}
