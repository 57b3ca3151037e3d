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
        ) { $0.textFieldDidEndEditing($1) }
    ]

    weak var controllable: (any Controllable)?
    private let viewModel: any RegistrationViewModelling

    init(viewModel: any RegistrationViewModelling = RegistrationViewModel()) {
        self.viewModel = viewModel
    }

    var state: RegistrationState {
        get { viewModel.state }
        set { viewModel.state = newValue }
    }

    private func textFieldDidEndEditing(_ input: String?) {
        if viewModel.updateUserID(from: input) {
            render(Self.userID, state.userID)
            render(Self.errorMessage, nil)
        } else {
            render(Self.errorMessage, .notTwelveDigits)
            if state.needsHelp { showAlert(.whereToFindIt) }
        }
    }
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
