public import BusinessLogic

/// The registration screen's logic: reacts to the end of editing, and leaves the rest to its view model (article
/// "Rehoming View Controller Responsibilities").
public final class RegistrationBusinessLogicController: BusinessLogicController {
    /// What the user entered as user ID.
    public static let input = Field<String?>(
        "userID",
        description: "The user ID: twelve digits. White space is removed."
    )
    /// The registered user ID; null if the input is invalid.
    public static let userID = Output<String?>(
        "userID",
        description: "The registered user ID; null if the input is invalid."
    )
    /// Why the input was rejected; null if it was accepted.
    public static let errorMessage = Output<Message?>(
        "errorMessage",
        description: "Why the user ID was rejected; null if it was accepted."
    )

    public static let events: EventTable<RegistrationBusinessLogicController> = [
        .default(
            "textFieldDidEndEditing",
            reads: input,
            gives: [.renders(userID), .renders(errorMessage, .invalidUserID, .userIDTaken)],
            examples: [["userID": "012345 678912"], ["userID": "0123"]]
        ) { try await $0.textFieldDidEndEditing($1) }
    ]

    public weak var controllable: (any Controllable)?
    private let viewModel: any RegistrationViewModelling

    /// What the registration screen stores.
    public struct State: Codable, Equatable, Sendable {
        /// `nil` if the last input was invalid.
        var userID: String?
    }

    /// Creates the logic of a registration screen.
    ///
    /// - Parameter viewModel: normalises, validates, saves and stores what the user enters.
    public init(viewModel: any RegistrationViewModelling = RegistrationViewModel()) { self.viewModel = viewModel }

    public var state: State {
        get { State(userID: viewModel.userID) }
        set { viewModel.userID = newValue.userID }
    }

    public var stateMemorySize: Int? { MemoryLayout<State>.size + (viewModel.userID?.memorySize ?? 0) }

    private func textFieldDidEndEditing(_ input: String?) async throws {
        let rejection = try await viewModel.updateUserID(from: input)
        render(Self.userID, viewModel.userID)
        render(Self.errorMessage, rejection)
    }
}

extension Message {
    /// The user ID is invalid.
    public static let invalidUserID = Message(
        code: "registration.invalidUserID",
        text: "A user ID has exactly twelve digits",
        parameters: ["digits": 12],
        field: "userID"
    )
    /// The user ID belongs to another account.
    public static let userIDTaken = Message(
        code: "registration.userIDTaken",
        text: "This user ID belongs to another account",
        field: "userID"
    )
}
