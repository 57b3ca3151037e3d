import BundledPages
import HTTPMessages
import Testing
import Understudy

@testable import HTMLPages

/// The page `/docs`, apart from what HTMLPagesTests tests.
@Suite struct DocsTests {
    private let browser: Browser

    init() throws {
        var configuration = ServiceConfiguration()
        configuration.browserPages = try HTMLPages(isDemo: true)
        browser = Browser(UnderstudyService(pages: Page.demo(), configuration: configuration))
    }

    @Test func `an error of several operations is described once, and the operations link to it`() async throws {
        let page = await browser.get("/docs").text
        #expect(page.split(separator: "The request target is too long (<code>targetTooLong</code>)").count == 2)
        #expect(page.split(separator: ##"<a href="#error-TargetTooLong">414 Target too long</a>"##).count > 20)
    }

    @Test func `an error of one operation is described there`() async throws {
        let page = await browser.get("/docs").text
        #expect(!page.contains("error-HistoryGone"))
        let operation = try #require(
            page.split(separator: #"id="showHistory">"#).last?.split(separator: "</section>").first
        )
        #expect(operation.contains("<dt><code>410</code>"))
        #expect(operation.contains("The history does not go back that far"))
    }
}
