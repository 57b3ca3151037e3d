public import BusinessLogic

/// The logic of a list of products (article "Model View Presenter on iOS"): fetches the products, shows that it is loading them,
/// and leads to the detail of a product that has a description.
public final class ProductsPresenter: BusinessLogicController {
    /// The name of the selected product.
    public static let product = Field<String>("product", description: "The name of the selected product.")
    /// The title of the screen.
    public static let title = Output<String>("title", description: "The title of the screen.")
    /// Whether the products are being fetched.
    public static let loading = Output<Bool>("loading", description: "Whether the products are being fetched.")
    /// The list.
    public static let products = Output<[Product]>("products", description: "All products.")

    public static let events: EventTable<ProductsPresenter> = [
        .default(
            "onStart",
            gives: [.renders(title), .renders(loading), .renders(products), .alerts(.productsUnavailable)]
        ) { try await $0.onStart() }.safe(),
        .event(
            "onSelected",
            reads: product,
            gives: [.goes(to: .product), .alerts(.unknownProduct, .productWithoutDescription)],
            examples: [["product": "Car"], ["product": "Book"]]
        ) { try await $0.onSelected(name: $1) },
        .update("productsChanged", on: { $0.state.items == nil ? [] : [.products] }, gives: [.renders(products)]) {
            try await $0.onProductsChanged()
        },
    ]

    /// What the list stores about the products that it has fetched.
    public struct State: Codable, Equatable, Sendable {
        struct Item: Codable, Equatable, Sendable {
            let name: String
            /// A product with a description has a detail page.
            let hasDescription: Bool
        }

        /// `nil` before the products have been fetched.
        var items: [Item]?
    }

    public weak var controllable: (any Controllable)?
    public var state = State()
    private let repository: any Repository

    /// Creates the logic of a list of the products of that repository.
    public init(repository: any Repository) { self.repository = repository }

    public var stateMemorySize: Int? {
        guard let items = state.items else { return MemoryLayout<State>.size }
        return items.reduce(MemoryLayout<State>.size + 48 + items.capacity * MemoryLayout<State.Item>.stride) {
            $0 + $1.name.memorySize
        }
    }

    private func onStart() async throws {
        render(Self.title, "Products")
        render(Self.loading, true)
        let products = try await fetch()
        if products.isEmpty {
            showAlert(.productsUnavailable)
        } else {
            render(Self.products, products)
        }
        render(Self.loading, false)
    }

    private func onProductsChanged() async throws { render(Self.products, try await fetch()) }

    private func onSelected(name: String) async throws {
        if state.items == nil { _ = try await fetch() }
        guard let item = state.items?.first(where: { $0.name.hasSameBytes(as: name) }) else {
            return showAlert(.unknownProduct)
        }
        guard item.hasDescription else { return showAlert(.productWithoutDescription) }
        goToPage(.product, item.name)
    }

    private func fetch() async throws -> [Product] {
        let products = try await repository.get()
        state.items = products.map { State.Item(name: $0.name, hasDescription: !$0.description.isEmpty) }
        return products
    }
}

extension Topic {
    /// All products. Publish it when a ``Repository`` returns others.
    public static let products: Topic = "products"
}

extension Message {
    /// There are no products.
    public static let productsUnavailable = Message(code: "products.unavailable", text: "No products available")
    /// The list does not contain the selected product.
    public static let unknownProduct = Message(code: "products.unknown", text: "Unknown product", field: "product")
    /// The selected product has no description to show.
    public static let productWithoutDescription = Message(
        code: "products.withoutDescription",
        text: "Product without description",
        field: "product"
    )
}
