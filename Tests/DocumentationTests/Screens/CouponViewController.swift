// The screen of the article "Call it from iOS".
import BusinessLogic
import Foundation
import UIKit
import UnderstudyClient

/// The first screen of the app. `url` is the URL of the service: `https://shop.example`.
@MainActor func firstScreen(_ url: URL) -> CouponViewController {
    let session = RemoteSession(url)
    let screen = CouponViewController()
    screen.eventable = RemoteEventable("coupon", in: session)
    return screen
}

final class CouponViewController: UIViewController {
    let codeField = UITextField()
    let redeemButton = UIButton()
    let messageLabel = UILabel()

    var eventable: (any Eventable)? {
        didSet { eventable?.controllable = self }
    }
    private var waiting: Task<Void, Never>?

    override func viewDidLoad() {
        super.viewDidLoad()
        redeemButton.addAction(UIAction { [weak self] _ in self?.send("redeemButtonPressed") }, for: .touchUpInside)
    }

    override func viewDidDisappear(_ animated: Bool) {
        super.viewDidDisappear(animated)
        waiting?.cancel()
    }

    private func send(_ event: Event) {
        redeemButton.isEnabled = false
        waiting = Task {
            defer { redeemButton.isEnabled = true }
            do {
                try await eventable?.dispatchEvent(event)
            } catch is CancellationError {
                // The screen has disappeared.
            } catch CollaboratorError.unavailable(let retryAfter, _), CollaboratorError.overloaded(let retryAfter) {
                messageLabel.text = "Please try again in \(retryAfter.components.seconds) seconds"
            } catch {
                messageLabel.text = "The shop cannot be reached"
            }
        }
    }
}

extension CouponViewController: @MainActor Controllable {
    func getValue(_ key: String) -> Value? {
        switch key {
        case "code": .string(codeField.text ?? "")
        default: nil
        }
    }

    func render(_ key: String, _ value: Value) {
        switch key {
        case "notice": messageLabel.text = value.string
        default: break
        }
    }

    func render(_ key: String, _ message: Message) {
        render(key, .string(message.translated ?? message.text))
    }
}

extension Message {
    /// The text in the language of the phone, if there is a translation.
    var translated: String? {
        switch code {
        case "coupon.none": "Diesen Gutschein gibt es nicht"
        case "coupon.redeemed": "Sie sparen \(parameters["discount"]?.integer ?? 0) %"
        default: nil
        }
    }
}
