import Testing
import TestSupport
import UnderstudyTesting

/// On the main actor, like a screen: a test reads it while its event waits for the repository.
@MainActor @Suite struct ProductsPresenterTests {
    private let recorder = ResponseRecorder(page: "products")
    private let products: Value = [Product.car.screenValue, Product.book.screenValue]

    private func start(with repository: some Repository) async throws {
        recorder.eventable = ProductsPresenter(repository: repository)
        try await recorder.dispatchEvent("onStart")
    }

    private func select(_ name: Value, from repository: some Repository) async throws {
        recorder.eventable = ProductsPresenter(repository: repository)
        recorder.setValue(name, for: "product")
        try await recorder.dispatchEvent("onSelected")
    }

    @Test func `an error of the repository is rethrown, and the screen is as before`() async throws {
        try await start(with: ProductsRepository([.car, .book]))
        let before = recorder.state
        await #expect(throws: Outage()) { try await start(with: FailingRepository()) }
        #expect(recorder.state == before)
        #expect(recorder.commands.count == 4)
    }

    @Test(
        arguments: [
            (.success([.car, .book]), .render("products", [Product.car.screenValue, Product.book.screenValue])),
            (.success([]), .showAlert(.productsUnavailable)),
        ] as [(Result<[Product], any Error>, Command)]
    )
    func `loading is shown until the repository returns`(
        answer: Result<[Product], any Error>,
        outcome: Command
    ) async throws {
        let repository = SuspendedRepository()
        recorder.eventable = ProductsPresenter(repository: repository)

        let event = Task { try await recorder.dispatchEvent("onStart") }
        await repository.waitUntilAsked()
        #expect(recorder.commands == [.render("title", "Products"), .render("loading", true)])
        #expect(recorder.rendered == ["title": "Products", "loading": true])

        await repository.answer(with: answer)
        try await event.value
        recorder.expect([
            .render("title", "Products"), .render("loading", true), outcome, .render("loading", false),
        ])
        #expect(recorder.rendered["loading"] == false)
    }

    @Test func `if the repository fails while loading is shown, the whole event is undone`() async throws {
        let repository = SuspendedRepository()
        recorder.eventable = ProductsPresenter(repository: repository)
        let event = Task { try await recorder.dispatchEvent("onStart") }
        await repository.waitUntilAsked()
        #expect(recorder.rendered == ["title": "Products", "loading": true])
        await repository.answer(with: .failure(Outage()))
        await #expect(throws: Outage()) { try await event.value }
        #expect(recorder.commands == [])
        #expect(recorder.rendered == [:])
    }

    // MARK: Four cases of failure

    private nonisolated static let cafe = Product(name: "caf\u{E9}", description: "coffee", image: "")

    /// A product is found by the bytes of its name.
    @Test(
        arguments: [
            ("Boat", [.car, .book]), ("car", [.car, .book]), ("", [.car, .book]), ("Car", []), ("cafe\u{301}", [cafe]),
        ] as [(Value, [Product])]
    )
    func `selecting an unknown product shows an alert`(name: Value, products: [Product]) async throws {
        try await select(name, from: ProductsRepository(products))
        #expect(recorder.commands == [.showAlert(.unknownProduct)])
    }

    @Test func `selecting a product that cannot be fetched throws the repository's error`() async throws {
        await #expect(throws: Outage()) { try await select("Car", from: FailingRepository()) }
        #expect(recorder.commands == [])
    }

    // MARK: The listed products

    @Test func `a selection uses the products as they were listed, without fetching them again`() async throws {
        let repository = RepositorySpy([.car, .book])
        try await start(with: repository)
        for name in ["Car", "Book", "Boat"] as [Value] {
            try await recorder.dispatchEvent("onSelected", with: ["product": name])
        }
        recorder.expect([
            .render("title", "Products"), .render("loading", true), .render("products", products),
            .render("loading", false), .goToPage("ProductDetail", ["product": "Car"]),
            .showAlert(.productWithoutDescription), .showAlert(.unknownProduct),
        ])
        #expect(await repository.calls == 1)
    }

    @Test func `a selection before the list is shown fetches the products once and renders nothing`() async throws {
        let repository = RepositorySpy([.car])
        try await select("Car", from: repository)
        try await recorder.dispatchEvent("onSelected", with: ["product": "Boat"])
        #expect(recorder.commands == [.goToPage("ProductDetail", ["product": "Car"]), .showAlert(.unknownProduct)])
        #expect(recorder.rendered == [:])
        #expect(await repository.calls == 1)
    }

    @Test func `a start lists the products again, and a failed one keeps the previous list`() async throws {
        let repository = RepositorySpy([.car], [.book])
        try await start(with: repository)
        try await recorder.dispatchEvent("onStart")
        await #expect(throws: CollaboratorError.unavailable(retryAfter: .seconds(1))) {
            try await recorder.dispatchEvent("onStart")
        }
        try await recorder.dispatchEvent("onSelected", with: ["product": "Car"])
        #expect(recorder.alert == .unknownProduct)
        try await recorder.dispatchEvent("onSelected", with: ["product": "Book"])
        #expect(recorder.alert == .productWithoutDescription)
        #expect(await repository.calls == 3)
    }

    @Test func `the state contains the listed names and whether each has a description`() async throws {
        let presenter = ProductsPresenter(repository: ProductsRepository([.car, .book]))
        recorder.eventable = presenter
        #expect(try json(presenter.state) == "{}")
        try await recorder.dispatchEvent("onStart")
        #expect(
            try json(presenter.state)
                == #"{"items":[{"hasDescription":true,"name":"Car"},{"hasDescription":false,"name":"Book"}]}"#
        )
        #expect(try #require(presenter.stateMemorySize) > 0)
    }
}
