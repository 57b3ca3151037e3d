import TestSupport

@testable import Understudy

@Suite struct RouteTests {
    @Test func `a page cannot have the path of a route`() throws {
        for route in Route.all where route.path != "/" {
            let name = try #require(route.path.split(separator: "/").first.map(String.init))
            #expect(Page.reservedNames.contains(name) || name.contains("."), "\(route.path)")
        }
    }

    @Test func `each method of a path has one route`() {
        let routes = Route.all.map { "\($0.method) \($0.path)" }
        #expect(Set(routes).count == routes.count)
    }

    @Test(arguments: [
        ("/livez", "/livez", true), ("/livez", "/livez/", false), ("/livez", "/", false), ("/livez", "/livezz", false),
        ("/livez", "/LIVEZ", false), ("/problems/{code}", "/problems/x", true),
        ("/problems/{code}", "/problems/{code}", true), ("/problems/{code}", "/problems/x/y", true),
        ("/problems/{code}", "/problems/", false), ("/problems/{code}", "/problems", false),
        ("/problems/{code}", "/livez", false),
    ])
    func `a last segment in braces matches any segment`(path: String, asked: String, matches: Bool) throws {
        let route = try #require(Route.all.first { $0.path == path })
        #expect(route.matches(asked) == matches)
    }
}
