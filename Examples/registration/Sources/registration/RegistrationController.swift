import BusinessLogic

/// Registers a user ID: twelve digits, with whatever white space somebody typed in between.
final class RegistrationController: BusinessLogicController {
    static let events: EventTable<RegistrationController> = [
        .default(
            "textFieldDidEndEditing",
            reads: [.optional("userID")],
            examples: [["userID": "0123 4567 8912"], ["userID": "0123"]]
        ) { $0.textFieldDidEndEditing() }
    ]

    weak var controllable: (any Controllable)?
    var state = State()

    struct State: Codable {
        var userID: String?
        var mistakes = 0
    }

    private func textFieldDidEndEditing() {
        let userID = (text("userID") ?? "").filter { !$0.isWhitespace }
        guard userID.count == 12, userID.allSatisfy({ $0.isASCII && $0.isNumber }) else { return refuse() }
        state = State(userID: userID)
        controllable?.render("userID", .string(userID))
        controllable?.render("errorMessage", .null)
    }

    private func refuse() {
        state = State(mistakes: (state.mistakes + 1) % 3)
        controllable?.render("errorMessage", .notTwelveDigits)
        if state.mistakes == 0 { controllable?.showAlert(.whereToFindIt) }
    }
}

extension Message {
    static let notTwelveDigits = Message(
        code: "registration.notTwelveDigits",
        text: "A user ID has twelve digits"
    )
    static let whereToFindIt = Message(
        code: "registration.whereToFindIt",
        text: "Your user ID is on the back of your card"
    )
}
