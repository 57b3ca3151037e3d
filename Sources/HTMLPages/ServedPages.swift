import BusinessLogic
import HTTPMessages
import Synchronization

/// The pages of the service. They never change, so that it is asked once.
final class ServedPages: Sendable {
    private let known = Mutex<[Link]>([])

    /// All pages, in the service's order; none before ``load(_:_:)`` has succeeded.
    var links: [Link] { known.withLock { $0 } }

    /// `nil` if the service has no such page.
    func path(of name: String) -> String? { known.withLock { $0.first { $0.name == name }?.href } }

    func contains(path: some StringProtocol) -> Bool { known.withLock { $0.contains { $0.href == path } } }

    /// Asks the service for its pages, unless they are known.
    func load(_ index: String, _ request: Request, _ service: Service) async {
        guard known.withLock(\.isEmpty) else { return }
        let replaced: [HeaderField] = [(.cookie, ""), (.contentType, ""), ("Content-Length", "")]
        let answer = await service(request.part(.get, index, replacing: replaced, body: [])).json
        let pages = Link.all(in: answer)
        if !pages.isEmpty { known.withLock { $0 = pages } }
    }
}

struct Link {
    let name: String
    let href: String
    let isInNavigation: Bool

    static func all(in index: Value?) -> [Link] {
        (index?["pages"]).elements.compactMap { page in
            guard let name = page["name"]?.string, let href = page["href"]?.string else { return nil }
            return Link(name: name, href: href, isInNavigation: page["inNavigation"] == true)
        }
    }

    func context(_ language: Labels.Language, current: String? = nil) -> Value {
        [
            "name": .string(name), "href": .string(href), "label": .string(language[.page(name)]),
            "current": .boolean(name == current),
        ]
    }
}
