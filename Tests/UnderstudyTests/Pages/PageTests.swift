/// An embedder's page, registered like the bundled ones.
struct PageTests {
    @Test func `a page lists each of its fields once`() {
        let page = FormController.page
        #expect(page.name == "form")
        #expect(page.fields.map(\.name) == ["age", "agrees", "name", "pin", "note"])
        #expect(page.fields.map(\.schema.jsonType) == [.number, .boolean, .string, .string, .string])
        #expect(page.fields.filter(\.isSecret).map(\.name) == ["pin"])
        // A field is optional if it is optional for one event.
        #expect(page.fields.filter(\.schema.isOptional).map(\.name) == ["note"])
    }

    // MARK: Programming errors

    @Test(arguments: ["", "a/b", "a.b", "\u{E9}", "session", "validate"])
    func `a page with an invalid name stops the program`(name: String) async {
        await #expect(processExitsWith: .failure) { [name] in _ = Page(name) { _ in FormController() } }
    }

    @Test func `a page that is registered twice stops the program with its name`() async throws {
        let end = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = UnderstudyService(pages: [CountingController.page, FormController.page, FormController.page])
        }
        #expect(end.standardErrorContent.text.contains("the page 'form' is registered twice"))
    }

    struct OtherHomeController: Script {
        static let events: Events = [
            .default("go", gives: [.goes(to: Destination<Void>("Home", page: "other"))]) { _ in }
        ]
    }

    @Test func `a declaration without sense, such as a destination of two pages, stops the program`() async throws {
        await #expect(processExitsWith: .failure) { _ = Pages(Page.demo() + [Page("other", OtherHomeController())]) }
        await #expect(processExitsWith: .failure) { _ = Page("page", EventFieldController()) }
        await #expect(processExitsWith: .failure) { _ = Page("page", TwoKindsController()) }
        await #expect(processExitsWith: .failure) { _ = Field<String>("code", minimumLength: 2, maximumLength: 1) }
        await #expect(processExitsWith: .failure) { _ = Page("page", RepeatingController()) }
        await #expect(processExitsWith: .failure) {
            let code = Message(code: "no dot here!", text: "")
            _ = Page("page", messages: [code]) { _ in FormController() }
        }
    }

    @Test func `pages for browsers with another path prefix stop the program with both`() async throws {
        let end = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            var configuration = ServiceConfiguration()
            configuration.browserPages = PlainPages()
            configuration.pathPrefix = "/shop"
            _ = UnderstudyService(pages: [], configuration: configuration)
        }
        let reason = "the path prefix of the service is '/shop', and that of its pages for browsers ''"
        #expect(end.standardErrorContent.text.contains(reason))
    }

    struct RepeatingController: Script {
        static let events: Events = [
            .default("go", reads: Field<String>("a"), Field<String>("a")) { _, _, _ in }
        ]
    }

    struct PlainPages: BrowserPages {
        let pathPrefix = PathPrefix()

        func responds(to request: Request, isEvent: Bool) -> Bool { false }
        func respond(to request: Request, service: (Request) async -> Response) async -> Response {
            await service(request)
        }
        func response(for problem: Response, to request: Request) -> Response { problem }
    }

    struct EventFieldController: Script {
        static let events: Events = [.default("go", reads: Field<String>("event")) { _, _ in }]
    }

    struct TwoKindsController: Script {
        static let events: Events = [
            .default("go", reads: Field<String>("a")) { _, _ in },
            .event("stay", reads: Field<Double>("a")) { _, _ in },
        ]
    }
}
