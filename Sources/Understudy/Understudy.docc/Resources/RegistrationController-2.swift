import BusinessLogic

/// Registers a user ID: twelve digits, with whatever white space somebody typed in between.
final class RegistrationController: BusinessLogicController {
    static let events: EventTable<RegistrationController> = [
        .default(
            "textFieldDidEndEditing",
            reads: [.optional("userID")],
            examples: [["userID": "0123 4567 8912"], ["userID": "0123"]]
        ) { _ in }
    ]

    weak var controllable: (any Controllable)?
    var state = State()

    struct State: Codable {
        var userID: String?
        var mistakes = 0
    }
}
