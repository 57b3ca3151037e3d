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

    private let collaborators: Collaborators
    private let identity: (any Identity)?

    /// The collaborators of a view model.
    // An object, because the view models of all sessions can share it: three existentials would take 120 bytes of each session.
    public final class Collaborators: Sendable {
        let normaliser: any InputNormalising
        let validator: any UserIDValidating
        package let userIDs: any UserIDSaving

        /// Creates collaborators.
        ///
        /// - Parameters:
        ///   - normaliser: removes white space from the input.
        ///   - validator: decides whether the normalised input is a valid user ID.
        ///   - userIDs: saves the user ID if a user is logged in.
        public init(
            normaliser: any InputNormalising = InputNormaliser(),
            validator: any UserIDValidating = UserIDValidator(),
            userIDs: any UserIDSaving = NoAccounts()
        ) {
            self.normaliser = normaliser
            self.validator = validator
            self.userIDs = userIDs
        }

        package func saving(_ userIDs: any UserIDSaving) -> Collaborators {
            Collaborators(normaliser: normaliser, validator: validator, userIDs: userIDs)
        }
    }

    /// Creates a view model.
    ///
    /// - Parameters:
    ///   - collaborators: normalise, validate and save.
    ///   - identity: the session's user.
    public init(_ collaborators: Collaborators = Collaborators(), identity: (any Identity)? = nil) {
        self.collaborators = collaborators
        self.identity = identity
    }

    public func updateUserID(from input: String?) async throws -> Message? {
        let normalised = collaborators.normaliser.normalise(input)
        var rejection: Message?
        if !collaborators.validator.isValid(userID: normalised) {
            rejection = .invalidUserID
        } else if let identity, identity.user != nil {
            let isSaved = try await collaborators.userIDs.save(userID: normalised, for: identity.client)
            rejection = isSaved ? nil : .userIDTaken
        }
        userID = rejection == nil ? normalised : nil
        return rejection
    }
}
