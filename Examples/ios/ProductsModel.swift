import BundledControllers
import BusinessLogic
import Observation
import UnderstudyClient

/// What the screen of the page `products` shows. A view observes it.
@MainActor @Observable
final class ProductsModel {
    private typealias Logic = ProductsPresenter

    private(set) var title = ""
    private(set) var isLoading = false
    private(set) var products: [Product] = []
    var alert: String?
    /// The names of the products whose details are open.
    var path: [String] = []

    @ObservationIgnored private var selected: String?
    @ObservationIgnored var eventable: (any Eventable)? {
        didSet { eventable?.controllable = self }
    }

    func start() async {
        await send("onStart")
    }

    func select(_ product: Product) async {
        guard !isLoading else { return }
        selected = product.name
        await send("onSelected")
    }

    private func send(_ event: Event) async {
        isLoading = true
        defer { isLoading = false }
        do {
            try await eventable?.dispatchEvent(event)
        } catch is CancellationError {
            // The view has disappeared.
        } catch RemoteError.transport {
            alert = "The server cannot be reached"
        } catch {
            alert = "This does not work now. Please try again later."
        }
    }
}

extension ProductsModel: @MainActor Controllable {
    func getValue(_ key: String) -> Value? {
        switch key {
        case Logic.product.name: selected.map(Value.string)
        default: nil
        }
    }

    func render(_ key: String, _ value: Value) {
        switch key {
        case Logic.title.key: title = value.string ?? ""
        case Logic.loading.key: isLoading = value.boolean ?? false
        case Logic.products.key: products = (value.array ?? []).compactMap { Product($0) }
        default: break
        }
    }

    func showAlert(_ message: Message) {
        alert = message.text
    }

    func goToPage(_ name: String, _ values: Value.Object) {
        if name == Destination.product.name,
            let product = values[ProductDetailPresenter.product.name]?.string
        {
            path.append(product)
        }
    }
}

extension Product {
    /// The product that an output shows.
    fileprivate init?(_ value: Value) {
        guard let name = value.object?["name"]?.string, let description = value.object?["description"]?.string,
            let image = value.object?["image"]?.string
        else { return nil }
        self.init(name: name, description: description, image: image)
    }
}
