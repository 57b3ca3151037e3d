import BundledControllers
import BusinessLogic
import Testing
import TestSupport

/// On the main actor, like a screen: a test reads it while its event waits for the repository.
@MainActor @Suite struct ProductsPresenterTests {
    private let recorder = ResponseRecorder(page: "products")
    private let products: Value = [Product.car.value, Product.book.value]

    private func start(with repository: some Repository) async throws {
        recorder.eventable = ProductsPresenter(repository: repository)
        try await recorder.dispatchEvent("onStart")
    }

    private func select(_ name: Value, from repository: some Repository) async throws {
        recorder.eventable = ProductsPresenter(repository: repository)
        recorder.setValue(name, for: "product")
        try await recorder.dispatchEvent("onSelected")
    }

    @Test func `the start shows the products`() async throws {
        try await start(with: ProductsRepository([.car, .book]))
        #expect(
            recorder.commands == [
                .render("title", "Products"), .render("loading", true), .render("products", products),
                .render("loading", false),
            ]
        )
    }

    @Test func `without products, the start shows an alert`() async throws {
        try await start(with: ProductsRepository([]))
        #expect(
            recorder.commands == [
                .render("title", "Products"), .render("loading", true), .showAlert(.productsUnavailable),
                .render("loading", false),
            ]
        )
    }

    @Test func `if the products cannot be loaded, the start shows an alert`() async throws {
        try await start(with: FailingRepository())
        #expect(
            recorder.commands == [
                .render("title", "Products"), .render("loading", true), .showAlert(.productsUnavailable),
                .render("loading", false),
            ]
        )
    }

    @Test(
        arguments: [
            (.success([.car, .book]), .render("products", [Product.car.value, Product.book.value])),
            (.success([]), .showAlert(.productsUnavailable)),
            (.failure(Outage()), .showAlert(.productsUnavailable)),
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
        #expect(
            recorder.commands == [
                .render("title", "Products"), .render("loading", true), outcome, .render("loading", false),
            ]
        )
        #expect(recorder.rendered["loading"] == false)
    }

    @Test func `selecting a product with a description leads to its detail`() async throws {
        try await select("Car", from: ProductsRepository([.car, .book]))
        #expect(recorder.commands == [.goToPage("ProductDetail", ["product": Product.car.value])])
    }

    @Test func `selecting a product without a description shows an alert`() async throws {
        try await select("Book", from: ProductsRepository([.car, .book]))
        #expect(recorder.commands == [.showAlert(.productWithoutDescription)])
    }

    @Test(arguments: ["Boat", "car", ""])
    func `selecting an unknown product shows an alert`(name: String) async throws {
        try await select(.string(name), from: ProductsRepository([.car, .book]))
        #expect(recorder.commands == [.showAlert(.productWithoutDescription)])
    }

    @Test func `selecting a product that cannot be loaded shows an alert`() async throws {
        try await select("Car", from: FailingRepository())
        try await select("Car", from: ProductsRepository([]))
        #expect(recorder.commands == [.showAlert(.productsUnavailable), .showAlert(.productsUnavailable)])
    }

    @Test func `a selection without a product is rejected`() async {
        recorder.eventable = ProductsPresenter(repository: ProductsRepository([.car]))
        await #expect(throws: EventError.missingField("product", fields: ["product"])) {
            try await recorder.dispatchEvent("onSelected")
        }
        #expect(recorder.commands == [])
    }
}
