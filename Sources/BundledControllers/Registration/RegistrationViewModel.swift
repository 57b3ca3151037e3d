public import BusinessLogic

/// The registration screen's view model, as its controller uses it.
public protocol RegistrationViewModelling: AnyObject {
    /// The registered user ID; `nil` if the last input was rejected.
    var userID: String? { get set }

    /// Registers the user ID that a user entered.
    ///
    /// - Parameter input: the text as the user typed it; `nil` if the text field contains none.
    /// - Returns: the message that explains to the user why it is rejected; `nil` if it is registered.
    /// - Throws: if the user ID cannot be saved now. The view model is as before.
    func updateUserID(from input: String?) async throws -> Message?
}

/// Coordinates normalising, validating and saving, and stores the result (article "Rehoming View Controller
/// Responsibilities"): it validates and stores the normalised input.
public final class RegistrationViewModel: RegistrationViewModelling {
    public var userID: String?

    private let normaliser: any InputNormalising
    private let validator: any UserIDValidating
    private let userIDs: any UserIDSaving
    private let identity: (any Identity)?

    /// Creates a view model with those collaborators.
    ///
    /// - Parameters:
    ///   - normaliser: removes white space from the input.
    ///   - validator: decides whether the normalised input is a valid user ID.
    ///   - userIDs: saves the user ID if a user is logged in.
    ///   - identity: the session's user.
    public init(
        normaliser: any InputNormalising = InputNormaliser(),
        validator: any UserIDValidating = UserIDValidator(),
        userIDs: any UserIDSaving = NoAccounts(),
        identity: (any Identity)? = nil
    ) {
        self.normaliser = normaliser
        self.validator = validator
        self.userIDs = userIDs
        self.identity = identity
    }

    public func updateUserID(from input: String?) async throws -> Message? {
        let normalised = normaliser.normalise(input)
        let rejection = try await rejection(of: normalised)
        userID = rejection == nil ? normalised : nil
        return rejection
    }

    private func rejection(of userID: String) async throws -> Message? {
        guard validator.isValid(userID: userID) else { return .invalidUserID }
        guard let identity, identity.user != nil else { return nil }
        return try await userIDs.save(userID: userID, for: identity.client) ? nil : .userIDTaken
    }
}
