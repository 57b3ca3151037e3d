import BusinessLogic

/// The screen of the email page: observes the person, and changes the view only in response to changes of the person. It does not
/// refer to the intentions.
final class EmailScreen: PersonObserver {
    weak var controllable: (any Controllable)?
    /// `nil` before the first state of the button is shown.
    var saveButtonEnabled: Bool?
    var showsMessage = false

    /// Call when the view has loaded.
    func show(_ person: Person) {
        show(saveButtonEnabled: person.isValid)
        if let email = person.savedEmail { controllable?.render(EmailBusinessLogicController.savedEmail, email) }
    }

    func personDidChange(_ person: Person) {
        clearMessage()
        let isValid = person.isValid
        if saveButtonEnabled != isValid { show(saveButtonEnabled: isValid) }
    }

    func personDidSave(_ person: Person) {
        clearMessage()
        controllable?.goToPage(.advance)
    }

    func person(_ person: Person, wasNotSaved reason: Message) {
        if reason == .emailNotLoggedIn {
            controllable?.showAlert(reason)
        } else {
            showsMessage = true
            controllable?.render(EmailBusinessLogicController.message, reason)
            show(saveButtonEnabled: false)
        }
    }

    private func clearMessage() {
        guard showsMessage else { return }
        showsMessage = false
        controllable?.render(EmailBusinessLogicController.message, nil)
    }

    private func show(saveButtonEnabled isEnabled: Bool) {
        saveButtonEnabled = isEnabled
        controllable?.render(EmailBusinessLogicController.saveButtonEnabled, isEnabled)
    }
}
