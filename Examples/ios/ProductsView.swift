import BundledControllers
import SwiftUI

/// The list of products.
struct ProductsView: View {
    @Bindable var model: ProductsModel

    var body: some View {
        NavigationStack(path: $model.path) {
            List(model.products, id: \.name) { product in
                Button(product.name) { Task { await model.select(product) } }
            }
            .overlay { if model.isLoading { ProgressView() } }
            .navigationTitle(model.title)
            .navigationDestination(for: String.self) { name in Text(name) }
        }
        .alert(model.alert ?? "", isPresented: $model.isAlertShown) {
            Button("OK") {}
        }
        .task { await model.start() }
    }
}

extension ProductsModel {
    fileprivate var isAlertShown: Bool {
        get { alert != nil }
        set { if !newValue { alert = nil } }
    }
}
