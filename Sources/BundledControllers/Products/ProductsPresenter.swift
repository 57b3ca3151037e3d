public import BusinessLogic

/// The product list's logic (article "Model View Presenter on iOS"): fetches the products, shows that it is loading
/// them, and leads to a product's detail where there is any.
public final class ProductsPresenter: BusinessLogicController {
    public static let events: EventTable<ProductsPresenter> = [
        .default("onStart") { await $0.onStart() },
        .event("onSelected", reads: ["product"], examples: [["product": "Car"], ["product": "Book"]]) {
            await $0.onSelected(name: $0.text("product") ?? "")
        },
    ]

    public typealias State = NoState

    public weak var controllable: (any Controllable)?
    private let repository: any Repository

    /// The logic of a product list filled from that repository.
    public init(repository: any Repository) {
        self.repository = repository
    }

    private func onStart() async {
        controllable?.render("title", "Products")
        controllable?.render("loading", true)
        let products = await retrieve()
        if products.isEmpty {
            controllable?.showAlert(.productsUnavailable)
        } else {
            controllable?.render("products", .array(products.map(\.value)))
        }
        controllable?.render("loading", false)
    }

    private func onSelected(name: String) async {
        let products = await retrieve()
        guard !products.isEmpty else {
            controllable?.showAlert(.productsUnavailable)
            return
        }
        guard let product = products.first(where: { $0.isNamed(name) }), !product.description.isEmpty else {
            controllable?.showAlert(.productWithoutDescription)
            return
        }
        controllable?.goToPage("ProductDetail", ["product": product.value])
    }

    /// The products; none where they cannot be had.
    private func retrieve() async -> [Product] {
        (try? await repository.get()) ?? []
    }
}

extension Message {
    /// There are no products, or they cannot be had.
    public static let productsUnavailable = Message(code: "products.unavailable", text: "No products available")
    /// The selected product has no detail to show.
    public static let productWithoutDescription = Message(
        code: "products.withoutDescription",
        text: "Product without description"
    )
}
