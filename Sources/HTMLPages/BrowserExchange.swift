import BusinessLogic
import HTTPMessages
import Understudy

/// Responds to the requests that these pages make.
typealias Service = (Request) async -> Response

/// A browser's request, with what responds to its parts.
struct BrowserExchange {
    let pages: HTMLPages
    var request: Request
    let service: Service
    var cookies: BrowserCookies

    init(_ pages: HTMLPages, _ request: Request, _ service: @escaping Service) {
        self.pages = pages
        self.request = request
        self.service = service
        cookies = BrowserCookies(request)
    }

    var reading: Request {
        request.part(
            .get,
            String(request.path),
            replacing: [("Cookie", cookies.header), (.contentType, ""), ("Content-Length", "")],
            body: []
        )
    }

    /// `nil` without a user.
    func user(of request: Request) async -> String? {
        // Without a session, there is no user to ask for.
        guard request.headers.first(.cookie) != nil || request.headers.first(.authorization) != nil else { return nil }
        let session = await service(request.part(.get, "\(pages.prefix)/session"))
        return session.status == 200 ? session.json?["user"]?["username"]?.string : nil
    }

    /// The response to a request that changes something: if it is a problem, the page about it. The page leads back to the one that the request
    /// names, if that is one of the service. A link never contains what the request names: a browser takes the path `//host/` for another site.
    func page(of response: Response) -> Response {
        guard response.isProblem else { return response }
        return pages.page(of: response, request, back: pages.served.links.first { $0.href == request.path }?.href)
    }

    /// Leaves out the query of the path if no request could name both.
    func seeOther(_ path: String) -> Response {
        let isShort = path.utf8.count <= HTMLPages.maximumTargetLength
        let target = isShort ? path : String(decoding: path.utf8.prefix { $0 != UInt8(ascii: "?") }, as: UTF8.self)
        return Response(
            status: 303,
            headers: [("Location", target), (.vary, "Accept")] + cookies.changes.map { (.setCookie, $0) }
        )
    }
}
