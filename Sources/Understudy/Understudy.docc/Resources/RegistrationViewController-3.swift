import BusinessLogic
import UIKit

final class RegistrationViewController: UIViewController, UITextFieldDelegate {
    let userIDField = UITextField()
    let errorLabel = UILabel()

    var eventable: (any Eventable)?

    override func viewDidLoad() {
        super.viewDidLoad()
        userIDField.delegate = self
        eventable = RegistrationController()
        eventable?.controllable = self
    }

    func textFieldDidEndEditing(_ textField: UITextField) {
        Task { try await eventable?.dispatchEvent("textFieldDidEndEditing") }
    }
}

extension RegistrationViewController: @MainActor Controllable {
    func getValue(_ key: String) -> Value? {
        switch key {
        case "userID": userIDField.text.map(Value.string) ?? .null
        default: nil
        }
    }

    func render(_ key: String, _ value: Value) {
        switch key {
        case "userID": userIDField.text = value.string
        case "errorMessage": errorLabel.text = value.string
        default: break
        }
    }

    func showAlert(_ message: Message) {
        let alert = UIAlertController(title: nil, message: message.text, preferredStyle: .alert)
        alert.addAction(UIAlertAction(title: "OK", style: .default))
        present(alert, animated: true)
    }
}
