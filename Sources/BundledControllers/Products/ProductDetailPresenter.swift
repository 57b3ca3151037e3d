public import BusinessLogic

/// The logic of a product's detail page (article "Model View Presenter on iOS"): shows the product.
public final class ProductDetailPresenter: BusinessLogicController {
    /// The name of the product.
    public static let product = Field<String>("product", description: "The name of the product.")
    /// The title of the screen.
    public static let title = Output<String>("title", description: "The title of the screen.")
    /// The product.
    public static let shownProduct = Output<Product>("product", description: "The product.")

    public static let events: EventTable<ProductDetailPresenter> = [
        .default(
            "onStart",
            reads: product,
            gives: [.renders(title), .renders(shownProduct), .alerts(.productNotValid)],
            examples: [["product": "Car"], ["product": "Boat"]]
        ) { try await $0.onStart(name: $1) }.safe()
    ]

    public typealias State = NoState

    public weak var controllable: (any Controllable)?
    private let repository: any Repository

    /// Creates the logic of a detail page for the products of that repository.
    public init(repository: any Repository) { self.repository = repository }

    private func onStart(name: String) async throws {
        render(Self.title, "Product")
        if let product = try await repository.get().first(where: { $0.isNamed(name) }) {
            render(Self.shownProduct, product)
        } else {
            showAlert(.productNotValid)
        }
    }
}

extension Message {
    /// There is no product with that name.
    public static let productNotValid = Message(code: "product.notValid", text: "Product not valid", field: "product")
}
