public import BusinessLogic

/// The registration screen's logic: reacts to the end of editing, and leaves the rest to its view model (article
/// "Rehoming View Controller Responsibilities").
public final class RegistrationBusinessLogicController: BusinessLogicController {
    public static let events: EventTable<RegistrationBusinessLogicController> = [
        .default(
            "textFieldDidEndEditing",
            reads: [.optional("userID")],
            examples: [["userID": "012345 678912"], ["userID": "0123"]]
        ) { try await $0.textFieldDidEndEditing() }
    ]

    public weak var controllable: (any Controllable)?
    private let viewModel: any RegistrationViewModelling
    private let userIDs: any UserIDSaving
    private let identity: (any Identity)?

    /// What the registration screen remembers.
    public struct State: Codable, Equatable, Sendable {
        /// The user ID entered last, where it was valid.
        public var userID: String?
    }

    /// The logic of a registration screen.
    ///
    /// - Parameters:
    ///   - viewModel: normalises, validates and remembers what was entered.
    ///   - userIDs: keeps the user ID of whoever has logged in.
    ///   - identity: tells who that is.
    public init(
        viewModel: any RegistrationViewModelling = RegistrationViewModel(),
        userIDs: any UserIDSaving = NoUserIDSaving(),
        identity: (any Identity)? = nil
    ) {
        self.viewModel = viewModel
        self.userIDs = userIDs
        self.identity = identity
    }

    public var state: State {
        get { State(userID: viewModel.userID) }
        set { viewModel.userID = newValue.userID }
    }

    public var stateMemorySize: Int? { MemoryLayout<State>.size + (viewModel.userID?.memorySize ?? 0) }

    private func textFieldDidEndEditing() async throws {
        guard viewModel.updateUserID(from: text("userID")) else {
            controllable?.render("userID", .null)
            controllable?.render("errorMessage", .invalidUserID)
            return
        }
        guard try await keepUserID() else {
            viewModel.userID = nil
            controllable?.render("userID", .null)
            controllable?.render("errorMessage", .userIDTaken)
            return
        }
        controllable?.render("userID", Value(viewModel.userID))
        controllable?.render("errorMessage", .null)
    }

    /// Keeps the user ID, where somebody has logged in. `false` where it is somebody else's.
    private func keepUserID() async throws -> Bool {
        guard let userID = viewModel.userID, let identity, identity.user != nil else { return true }
        return try await userIDs.save(userID: userID, for: identity.client)
    }
}

extension Message {
    /// The user ID is none.
    public static let invalidUserID = Message(
        code: "registration.invalidUserID",
        text: "A user ID has exactly twelve digits",
        parameters: ["digits": 12]
    )
    /// The user ID belongs to another account.
    public static let userIDTaken = Message(
        code: "registration.userIDTaken",
        text: "This user ID belongs to somebody else"
    )
}
