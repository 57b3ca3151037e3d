// A screen that shows the page to which an event leads, for the article "Call it from iOS".
import BusinessLogic
import UIKit
import UnderstudyClient

final class CatalogueViewController: UIViewController {
    /// Shows the screen of a page, or another screen of the app, with values for its fields.
    var show: (_ page: String, _ values: Value.Object) -> Void = { _, _ in }

    var eventable: (any Eventable)? {
        didSet { eventable?.controllable = self }
    }
}

extension CatalogueViewController: @MainActor Controllable {
    func render(_ key: String, _ value: Value) {}

    func getValue(_ key: String) -> Value? { nil }

    func goToPage(_ name: String, _ values: Value.Object) {
        let destination = (eventable as? RemoteEventable)?.destination
        show(destination?.page ?? name, values)
    }
}
