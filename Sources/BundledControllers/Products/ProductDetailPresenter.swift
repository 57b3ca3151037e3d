public import BusinessLogic

/// The product detail's logic (article "Model View Presenter on iOS"): shows the product, if it is one.
public final class ProductDetailPresenter: BusinessLogicController {
    public static let events: EventTable<ProductDetailPresenter> = [
        .default("onStart", reads: ["product"], examples: [["product": "Car"], ["product": "Boat"]]) {
            await $0.onStart(name: $0.text("product") ?? "")
        }
    ]

    public typealias State = NoState

    public weak var controllable: (any Controllable)?
    private let repository: any Repository

    /// The logic of a detail page for the products of that repository.
    public init(repository: any Repository) {
        self.repository = repository
    }

    private func onStart(name: String) async {
        controllable?.render("title", "Product")
        let products = (try? await repository.get()) ?? []
        if let product = products.first(where: { $0.isNamed(name) }) {
            controllable?.render("product", product.value)
        } else {
            controllable?.showAlert(.productNotValid)
        }
    }
}

extension Message {
    /// There is no such product, or it cannot be had.
    public static let productNotValid = Message(code: "product.notValid", text: "Product not valid")
}
