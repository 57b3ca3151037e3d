import BundledControllers
import BusinessLogic
import Testing
import Understudy
import UnderstudyTesting

@Suite struct ProductsScenarios {
    private static let car = Product(name: "Car", description: "A beautiful car", image: "car")
    private static let book = Product(name: "Book", description: "", image: "book")

    private let stocked = StubRepository { [car, book] }
    private let empty = StubRepository { [] }
    private let unreachable = StubRepository { throw CollaboratorError.unavailable(retryAfter: .seconds(1)) }

    private func list(_ repository: any Repository) -> Page {
        Page("products") { _ in ProductsPresenter(repository: repository) }
    }

    private func detail(_ repository: any Repository) -> Page {
        Page("product") { _ in ProductDetailPresenter(repository: repository) }
    }

    @Test(arguments: Rehearsal.allCases)
    func `the loading state is shown while the products are fetched`(rehearsal: Rehearsal) async throws {
        try await rehearsal.run(list(stocked)) { screen in
            try await screen.send("onStart")
            screen.expect(
                .render("title", "Products"),
                .render("loading", true),
                .render("products", [Self.car.value, Self.book.value]),
                .render("loading", false)
            )
        }
    }

    @Test(arguments: Rehearsal.allCases)
    func `without products an alert is shown`(rehearsal: Rehearsal) async throws {
        for repository in [empty, unreachable] {
            try await rehearsal.run(list(repository)) { screen in
                try await screen.send("onStart")
                screen.expect(
                    .render("title", "Products"),
                    .render("loading", true),
                    .showAlert(.productsUnavailable),
                    .render("loading", false)
                )
                try await screen.send("onSelected", ["product": "Car"])
                screen.expect(.showAlert(.productsUnavailable))
            }
        }
    }

    @Test(arguments: Rehearsal.allCases)
    func `a product with a description leads to its detail`(rehearsal: Rehearsal) async throws {
        try await rehearsal.run([list(stocked), detail(stocked)]) { screens in
            let products = screens["products"]
            try await products.send("onSelected", ["product": "Car"])
            products.expect(.goToPage("ProductDetail", ["product": Self.car.value]))
            try await screens["product"].send("onStart", ["product": "Car"])
            screens["product"].expect(.render("title", "Product"), .render("product", Self.car.value))
            for name: Value in ["Book", "Boat"] {
                try await products.send("onSelected", ["product": name])
                products.expect(.showAlert(.productWithoutDescription))
            }
        }
    }

    @Test(arguments: Rehearsal.allCases)
    func `what is no product has no detail`(rehearsal: Rehearsal) async throws {
        for repository in [stocked, empty, unreachable] {
            try await rehearsal.run(detail(repository)) { screen in
                try await screen.send("onStart", ["product": "Boat"])
                screen.expect(.render("title", "Product"), .showAlert(.productNotValid))
            }
        }
    }
}
