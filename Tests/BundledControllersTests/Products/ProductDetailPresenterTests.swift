import Testing
import TestSupport

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
        #expect(recorder.commands == [.render("title", "Product"), .render("product", product.screenValue)])
    }

    @Test(arguments: ["Boat", "car", ""])
    func `an unknown product shows an alert`(name: String) async throws {
        try await start(with: .string(name), from: ProductsRepository([.car, .book]))
        #expect(recorder.commands == [.render("title", "Product"), .showAlert(.productNotValid)])
    }

    @Test func `an error of the repository is rethrown, and nothing is shown`() async {
        await #expect(throws: Outage()) { try await start(with: "Car", from: FailingRepository()) }
        #expect(recorder.commands == [])
        await #expect(throws: CollaboratorError.unavailable(retryAfter: .seconds(1))) {
            try await start(with: "Car", from: RepositorySpy())
        }
        #expect(recorder.commands == [])
        #expect(recorder.rendered == [:])
    }

    @Test func `a product is found by the bytes of its name`() async throws {
        let repository = ProductsRepository([Product(name: "caf\u{E9}", description: "coffee", image: "")])
        try await start(with: "cafe\u{301}", from: repository)
        #expect(recorder.alert == .productNotValid)
    }
}
