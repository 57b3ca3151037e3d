import BusinessLogic

/// Reacts to the end of editing. The view model does the rest.
final class RegistrationController: BusinessLogicController {
    static let input = Field<String?>("userID")
    static let userID = Output<String?>("userID")
    static let errorMessage = Output<Message?>("errorMessage")

    static let events: EventTable<RegistrationController> = [
        .default(
            "textFieldDidEndEditing",
            reads: input,
            gives: [.renders(userID), .renders(errorMessage, .notTwelveDigits), .alerts(.whereToFindIt)],
            examples: [["userID": "0123 4567 8912"], ["userID": "0123"]]
        ) { _, _ in }
    ]

    weak var controllable: (any Controllable)?
}

extension Message {
    static let notTwelveDigits = Message(
        code: "registration.notTwelveDigits",
        text: "A user ID has twelve digits",
        field: "userID"
    )
    static let whereToFindIt = Message.notice(
        code: "registration.whereToFindIt",
        text: "Your user ID is on the back of your card"
    )
}
