import HTMLPages
import HTTPMessages
import Testing
import Understudy

@testable import web

@Test func `a wish is on the page, without JavaScript as well`() async throws {
    var configuration = ServiceConfiguration()
    configuration.browserPages = try HTMLPages(
        templates: WishesController.templates,
        assets: WishesController.assets
    )
    let service = UnderstudyService(pages: [Page("wishes") { _ in WishesController() }], configuration: configuration)
    let accept = "text/html,*/*;q=0.8"
    let type = "application/x-www-form-urlencoded"
    let posted = await service.respond(
        to: Request(
            .post,
            "/wishes",
            headers: ["Accept": accept, "Content-Type": type],
            body: Array("wish=a+bicycle".utf8)
        )
    )
    #expect(posted.status == 303)
    let cookie = try #require(posted.header("Set-Cookie")?.split(separator: ";").first.map(String.init))
    let page = await service.respond(to: Request(.get, "/wishes", headers: ["Accept": accept, "Cookie": cookie]))
    #expect(String(decoding: page.body, as: UTF8.self).contains(">a bicycle</li>"))
}
