import BundledPages
import HTMLPages
import HTTPMessages
import Testing
import Understudy

@Suite struct HTMLPagesSamples {
    @Test func `a template shows a page to browsers`() async throws {
        let template = "{{<page}}{{$content}}<h1>{{page}}</h1>{{/content}}{{/page}}"
        var configuration = ServiceConfiguration()
        configuration.browserPages = try HTMLPages(templates: ["login": template])
        let service = UnderstudyService(pages: Page.bundled(), configuration: configuration)
        let response = await service.respond(to: Request(.get, "/login", headers: ["Accept": "text/html"]))
        #expect(String(decoding: response.body, as: UTF8.self).contains("<h1>login</h1>"))
    }
}
