@testable import Understudy

struct RouteTests {
    @Test func `each method of a path has one route, and no page can have its path`() throws {
        for route in Route.all where route.path != "/" {
            let name = try #require(route.path.split(separator: "/").first.map(String.init))
            #expect(Page.reservedNames.contains(name) || name.contains("."), "\(route.path)")
        }
        let routes = Route.all.map { "\($0.method) \($0.path)" }
        #expect(Set(routes).count == routes.count)
    }

    @Test(arguments: [
        ("/livez", ["/livez"]), ("/problems/{code}", ["/problems/x", "/problems/{code}", "/problems/x/y"]),
    ])
    func `a last segment in braces matches any segment`(path: String, matches: [String]) throws {
        let route = try #require(Route.all.first { $0.path == path })
        let others =
            ["/livez/", "/", "/livezz", "/LIVEZ", "/problems/", "/problems"] + (path == "/livez" ? [] : ["/livez"])
        #expect((matches + others).filter(route.matches) == matches)
    }
}
