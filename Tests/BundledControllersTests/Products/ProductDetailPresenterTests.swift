import BundledControllers
import BusinessLogic
import Testing

@Suite struct ProductDetailPresenterTests {
    private let recorder = ResponseRecorder(page: "product")

    private func start(with name: Value, from repository: some Repository) async throws {
        recorder.eventable = ProductDetailPresenter(repository: repository)
        recorder.setValue(name, for: "product")
        try await recorder.dispatchEvent("onStart")
    }

    @Test(arguments: [Product.car, .book])
    func `a valid product is shown, with a description or without`(product: Product) async throws {
        try await start(with: .string(product.name), from: ProductsRepository([.car, .book]))
        #expect(recorder.commands == [.render("title", "Product"), .render("product", product.value)])
    }

    @Test(arguments: ["Boat", "car", ""])
    func `an unknown product shows an alert`(name: String) async throws {
        try await start(with: .string(name), from: ProductsRepository([.car, .book]))
        #expect(recorder.commands == [.render("title", "Product"), .showAlert(.productNotValid)])
    }

    @Test func `a product that cannot be loaded shows an alert`() async throws {
        try await start(with: "Car", from: FailingRepository())
        #expect(recorder.commands == [.render("title", "Product"), .showAlert(.productNotValid)])
    }

    @Test func `an event without a product is rejected`() async {
        recorder.eventable = ProductDetailPresenter(repository: ProductsRepository([.car]))
        await #expect(throws: EventError.missingField("product", fields: ["product"])) {
            try await recorder.dispatchEvent("onStart")
        }
        #expect(recorder.commands == [])
    }
}
