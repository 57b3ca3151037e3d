import BusinessLogic

/// The screen of the email page: observes the person, and changes the view only in response to changes of the person. It does not
/// refer to the intentions.
final class EmailScreen: PersonObserver {
    /// The view.
    weak var controllable: (any Controllable)?
    /// The last shown state of the save button; `nil` before the first.
    var saveButtonEnabled: Bool?
    /// Whether the view shows why the person was not saved.
    var showsMessage = false

    /// Shows the person when the view has loaded.
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
