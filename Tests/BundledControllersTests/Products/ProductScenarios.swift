enum ProductScenarios {
    static let cafe = Product(name: "caf\u{E9}", description: "coffee", image: "")
    static let all = Command.render("products", .array([Product.car, .book, cafe].map(\.screenValue)))
    static let unavailable = CollaboratorError.outage()
    static let start = Scenario.Step.send("onStart")

    static func select(_ name: Value) -> Scenario.Step { .send("onSelected", ["product": name]) }

    static func show(_ name: Value) -> Scenario.Step { .send("onStart", ["product": name]) }

    /// The commands of an event that lists the products.
    static func listing(_ products: Command) -> [Command] {
        [.render("title", "Products"), .render("loading", true), products, .render("loading", false)]
    }

    static let lists = ScenarioGroup(
        "products",
        [
            Scenario(
                "a selection uses the products as they were listed, by the bytes of their names, without fetching them",
                [
                    start, select("Car"), select("Book"), select("Boat"), select("car"), select(""),
                    select("cafe\u{301}"),
                ],
                gives: listing(all) + [
                    .goToPage("ProductDetail", ["product": "Car"]), .showAlert(.productWithoutDescription),
                    .showAlert(.unknownProduct), .showAlert(.unknownProduct), .showAlert(.unknownProduct),
                    .showAlert(.unknownProduct),
                ],
                calls: ["get"]
            ),
            Scenario(
                "a selection before the list is shown fetches the products once and renders nothing",
                [select("Car"), select("Boat")],
                gives: [.goToPage("ProductDetail", ["product": "Car"]), .showAlert(.unknownProduct)],
                calls: ["get"]
            ),
            Scenario(
                "a start lists the products again, and after a failed one, the previous list counts",
                [
                    start, start, start, .failing(unavailable, start), select("Car"), select("Book"),
                    .state(#"{"items":[{"hasDescription":false,"name":"Book"}]}"#),
                ],
                gives: listing(all)
                    + listing(.showAlert(.productsUnavailable))
                    + listing(.render("products", [Product.book.screenValue]))
                    + [.showAlert(.unknownProduct), .showAlert(.productWithoutDescription)],
                calls: ["get", "get", "get", "get"]
            ),
            Scenario(
                "a list that is shown follows changes of the products",
                [.publish(.products), start, .publish(.products), .publish(.products)],
                gives: listing(all)
                    + [.render("products", []), .render("products", [Product.book.screenValue])],
                calls: ["get", "get", "get"]
            ),
            Scenario(
                "products that cannot be fetched are an error, with nothing selected and nothing shown",
                on: "failing",
                [.failing(Outage(), select("Car")), .failing(Outage(), start), .state("{}")],
                gives: []
            ),
        ]
    ) { session in
        let log = CallLog([])
        session.calls = { log.value }
        let repository = ProductLists(log: log, lists: [[.car, .book, cafe], [], [.book]])
        return [
            ("products", { ProductsPresenter(repository: repository) }),
            ("failing", { ProductsPresenter(repository: FailingRepository()) }),
        ]
    }

    static let details = ScenarioGroup(
        "product",
        [
            Scenario(
                "a valid product is shown, with a description or without, and another one shows an alert",
                ["Car", "Book", "Boat", "car", "", "cafe\u{301}"].map(show),
                gives: [.render("product", Product.car.screenValue), .render("product", Product.book.screenValue)]
                    .flatMap { [.render("title", "Product"), $0] }
                    + [Command.render("title", "Product"), .showAlert(.productNotValid)].repeated(4)
            ),
            Scenario(
                "an error of the repository is rethrown, and nothing is shown",
                on: "failing",
                [.failing(Outage(), show("Car"))],
                gives: []
            ),
        ]
    ) { _ in
        [
            ("product", { ProductDetailPresenter(repository: ProductsRepository([.car, .book, cafe])) }),
            ("failing", { ProductDetailPresenter(repository: FailingRepository()) }),
        ]
    }
}
