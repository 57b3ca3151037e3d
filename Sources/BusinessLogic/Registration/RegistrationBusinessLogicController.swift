/// The registration screen's logic: reacts to the end of editing, and leaves the rest to its view model (article
/// "Rehoming View Controller Responsibilities").
public final class RegistrationBusinessLogicController: BusinessLogicController {
    public static let events: EventTable<RegistrationBusinessLogicController> = [
        .default("textFieldDidEndEditing", reads: [.optional("userID")]) { $0.textFieldDidEndEditing() }
    ]

    public weak var controllable: (any Controllable)?
    private let viewModel: any RegistrationViewModelling

    /// What the registration screen remembers.
    public struct State: Codable, Equatable, Sendable {
        /// The user ID entered last, where it was valid.
        public var userID: String?
    }

    /// The logic of a registration screen.
    public init(viewModel: any RegistrationViewModelling = RegistrationViewModel()) {
        self.viewModel = viewModel
    }

    public var state: State {
        get { State(userID: viewModel.userID) }
        set { viewModel.userID = newValue.userID }
    }

    private func textFieldDidEndEditing() {
        if viewModel.updateUserID(from: text("userID")) {
            controllable?.render("userID", Value(viewModel.userID))
            controllable?.render("errorMessage", .null)
        } else {
            controllable?.render("userID", .null)
            controllable?.render("errorMessage", .invalidUserID)
        }
    }
}

extension Message {
    /// The user ID is none.
    public static let invalidUserID = Message(
        code: "registration.invalidUserID",
        text: "A user ID has exactly twelve digits",
        parameters: ["digits": 12]
    )
}
