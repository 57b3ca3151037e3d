import BundledControllers
import BusinessLogic
import UIKit
import UnderstudyClient

/// The screen of the page `login`. After an error, the fields still contain what the user typed.
final class LoginViewController: UIViewController {
    private typealias Logic = LoginBusinessLogicController

    let usernameField = UITextField()
    let passwordField = UITextField()
    let loginButton = UIButton()
    let activityIndicator = UIActivityIndicatorView()
    let messageLabel = UILabel()

    var eventable: (any Eventable)? {
        didSet { eventable?.controllable = self }
    }
    private let showHome: @MainActor () -> Void
    private var waiting: Task<Void, Never>?

    init(showHome: @escaping @MainActor () -> Void) {
        self.showHome = showHome
        super.init(nibName: nil, bundle: nil)
    }

    @available(*, unavailable)
    required init?(coder: NSCoder) { nil }

    override func loadView() {
        let views = [usernameField, passwordField, loginButton, activityIndicator, messageLabel]
        let stack = UIStackView(arrangedSubviews: views)
        stack.axis = .vertical
        view = stack
    }

    override func viewDidLoad() {
        super.viewDidLoad()
        passwordField.isSecureTextEntry = true
        loginButton.addAction(UIAction { [weak self] _ in self?.loginButtonPressed() }, for: .touchUpInside)
    }

    override func viewDidDisappear(_ animated: Bool) {
        super.viewDidDisappear(animated)
        waiting?.cancel()
    }

    private func loginButtonPressed() {
        messageLabel.text = nil
        isLoading = true
        waiting = Task {
            defer { isLoading = false }
            do {
                try await eventable?.dispatchEvent("loginButtonPressed")
            } catch is CancellationError {
                // The screen has disappeared.
            } catch RemoteError.transport {
                messageLabel.text = "The server cannot be reached"
            } catch {
                messageLabel.text = "This does not work now. Please try again later."
            }
        }
    }

    /// Only one task at a time may use the logic. Therefore the button is disabled.
    private var isLoading = false {
        didSet {
            loginButton.isEnabled = !isLoading
            if isLoading { activityIndicator.startAnimating() } else { activityIndicator.stopAnimating() }
        }
    }
}

extension LoginViewController: @MainActor Controllable {
    func getValue(_ key: String) -> Value? {
        switch key {
        case Logic.username.name: .string(usernameField.text ?? "")
        case Logic.password.name: .string(passwordField.text ?? "")
        default: nil
        }
    }

    func render(_ key: String, _ value: Value) {
        switch key {
        case Logic.message.key: messageLabel.text = value.string
        default: break
        }
    }

    func showAlert(_ message: Message) {
        let alert = UIAlertController(title: nil, message: message.text, preferredStyle: .alert)
        alert.addAction(UIAlertAction(title: "OK", style: .default))
        present(alert, animated: true)
    }

    func goToPage(_ name: String, _ values: Value.Object) {
        switch name {
        case Destination.home.name: showHome()
        default: break
        }
    }
}
