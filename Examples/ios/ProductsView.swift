import BundledControllers
import BusinessLogic
import ScreenObservation
import SwiftUI

/// The screen of the page `products`: the list, and the chosen product.
struct ProductsView: View {
    private typealias Logic = ProductsPresenter

    @State private var screen: ObservableScreen

    init(_ logic: any Eventable) {
        _screen = State(wrappedValue: ObservableScreen(logic))
    }

    var body: some View {
        NavigationStack {
            List(screen[Logic.products] ?? [], id: \.name) { product in
                Button(product.name) { select(product) }
            }
            .overlay { if screen[Logic.loading] == true { ProgressView() } }
            .navigationTitle(screen[Logic.title] ?? "")
            .navigationDestination(item: $screen.destination) { destination in
                Text(destination[ProductDetailPresenter.product] ?? "")
            }
        }
        .alert(screen.alert?.text ?? "", isPresented: $screen.isAlertShown) { Button("OK") {} }
        .task { await screen.send("onStart") }
    }

    private func select(_ product: Product) {
        screen[Logic.product] = product.name
        Task { await screen.send("onSelected") }
    }
}
