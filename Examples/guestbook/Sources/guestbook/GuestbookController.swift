import BusinessLogic

/// Greets each guest by name, and counts them.
final class GuestbookController: BusinessLogicController {
    static let events: EventTable<GuestbookController> = [
        .default("signButtonPressed", reads: ["name"]) { $0.sign() }
    ]

    weak var controllable: (any Controllable)?
    var state = 0

    private func sign() {
        guard let name = text("name"), !name.isEmpty else {
            controllable?.showAlert(Message(code: "guestbook.noName", text: "Please write your name"))
            return
        }
        state += 1
        controllable?.render("greeting", "Welcome \(name), you are guest \(state)")
    }
}
