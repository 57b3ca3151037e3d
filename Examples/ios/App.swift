import BusinessLogic
import Foundation
import SwiftUI
import UIKit
import UnderstudyClient

/// The first screen of the app. `url` is the URL of the service: `https://shop.example`.
@MainActor func firstScreen(_ url: URL) -> UINavigationController {
    let session = RemoteSession(url)
    let navigation = UINavigationController()
    let login = LoginViewController { [weak navigation] in
        let products = ProductsModel()
        products.eventable = RemoteEventable("products", in: session)
        let screen = UIHostingController(rootView: ProductsView(model: products))
        navigation?.setViewControllers([screen], animated: true)
    }
    login.eventable = RemoteEventable("login", in: session)
    navigation.setViewControllers([login], animated: false)
    return navigation
}
