import MicroHTTP
import Testing

@testable import Understudy

@Suite struct RouteTests {
    @Test func `no page can be where the service answers itself`() throws {
        for route in Route.all {
            let name = try #require(route.path.split(separator: "/").first.map(String.init))
            #expect(Route.reservedNames.contains(name) || name.contains("."), "\(route.path)")
        }
    }

    @Test func `no method of a path stands twice`() {
        let routes = Route.all.map { "\($0.method) \($0.path)" }
        #expect(Set(routes).count == routes.count)
    }

    @Test(arguments: [
        ("/a", "/a", true), ("/a", "/a/", false), ("/a", "/", false), ("/a", "/ab", false), ("/a", "/A", false),
        ("/a/{b}", "/a/x", true), ("/a/{b}", "/a/{b}", true), ("/a/{b}", "/a/x/y", true), ("/a/{b}", "/a/", false),
        ("/a/{b}", "/a", false), ("/a/{b}", "/b/x", false),
    ])
    func `a last segment in braces stands for anything`(path: String, asked: String, matches: Bool) {
        #expect(Route(method: .get, path: path) { _, _ in .text("") }.matches(asked) == matches)
    }
}
