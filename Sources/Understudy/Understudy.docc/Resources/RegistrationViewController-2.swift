import BusinessLogic
import UIKit

final class RegistrationViewController: UIViewController, UITextFieldDelegate {
    let userIDField = UITextField()
    let errorLabel = UILabel()

    var eventable: (any Eventable)?
    var userID: String?
    var mistakes = 0

    override func viewDidLoad() {
        super.viewDidLoad()
        userIDField.delegate = self
    }

    func textFieldDidEndEditing(_ textField: UITextField) {
        let typed = (textField.text ?? "").filter { !$0.isWhitespace }
        if typed.count == 12, typed.allSatisfy({ $0.isNumber }) {
            userID = typed
            mistakes = 0
            textField.text = typed
            errorLabel.text = nil
        } else {
            userID = nil
            mistakes += 1
            errorLabel.text = "A user ID has twelve digits"
            if mistakes == 3 {
                mistakes = 0
                let alert = UIAlertController(
                    title: nil,
                    message: "Your user ID is on the back of your card",
                    preferredStyle: .alert
                )
                alert.addAction(UIAlertAction(title: "OK", style: .default))
                present(alert, animated: true)
            }
        }
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
