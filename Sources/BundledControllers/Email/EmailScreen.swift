public import BusinessLogic

/// The screen's side of the email page: observes the person, and only effects changes of the view in response to
/// changes of the data. Knows no intention.
public final class EmailScreen: PersonObserver {
    /// Where it shows what it has to show.
    public weak var controllable: (any Controllable)?
    /// The state of the save button shown last; `nil` as long as none has been.
    public internal(set) var saveButtonEnabled: Bool?

    /// A screen that has shown nothing yet.
    public init() {}

    public func personDidChange(_ person: Person) {
        if saveButtonEnabled != person.isValid { show(saveButtonEnabled: person.isValid) }
    }

    public func personDidSave(_ person: Person) {
        controllable?.goToPage("advance")
    }

    public func personDidRefuseToSave(_ person: Person) {
        show(saveButtonEnabled: false)
    }

    private func show(saveButtonEnabled isEnabled: Bool) {
        saveButtonEnabled = isEnabled
        controllable?.render("saveButtonEnabled", .boolean(isEnabled))
    }
}
