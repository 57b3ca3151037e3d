import Foundation
import SwiftUI
import UnderstudyClient

/// The first screen of the app. `url` is the URL of the service: `https://shop.example`.
struct ShopView: View {
    @State private var session: RemoteSession
    @State private var isLoggedIn = false

    init(_ url: URL) {
        _session = State(wrappedValue: RemoteSession(url))
    }

    var body: some View {
        if isLoggedIn {
            ProductsView(RemoteEventable("products", in: session))
        } else {
            LoginView(RemoteEventable("login", in: session)) { isLoggedIn = true }
        }
    }
}
