/// What a screen shows while an event waits for the repository. On the main actor, like a screen, which a test reads meanwhile.
@MainActor @Suite struct ProductsPresenterTests {
    let recorder = ResponseRecorder(page: "products")
    let repository = SuspendedRepository()

    init() { recorder.eventable = ProductsPresenter(repository: repository) }

    /// Starts, and returns when the event waits.
    func start() async -> Task<Void, any Error> {
        let event = Task { try await recorder.dispatchEvent("onStart") }
        await repository.waitUntilAsked()
        #expect(recorder.commands == [.render("title", "Products"), .render("loading", true)])
        #expect(recorder.rendered == ["title": "Products", "loading": true])
        return event
    }

    @Test func `loading is shown until the repository returns`() async throws {
        let event = await start()
        await repository.answer(with: .success([.car]))
        try await event.value
        #expect(recorder.rendered["loading"] == false)
        #expect(recorder.commands.count == 4)
    }

    @Test func `if the repository fails while loading is shown, the whole event is undone`() async {
        let event = await start()
        await repository.answer(with: .failure(Outage()))
        await #expect(throws: Outage()) { try await event.value }
        #expect(recorder.commands == [])
        #expect(recorder.rendered == [:])
    }

    @Test func `a list counts in the memory of its session`() async throws {
        let presenter = ProductsPresenter(repository: ProductsRepository([.car]))
        presenter.state = try decoded(from: #"{"items":[{"hasDescription":true,"name":"Car"}]}"#)
        #expect(try #require(presenter.stateMemorySize) > 0)
    }
}
