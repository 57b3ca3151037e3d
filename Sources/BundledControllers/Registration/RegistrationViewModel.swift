/// The registration screen's state, as its controller uses it.
public protocol RegistrationViewModelling: AnyObject {
    /// The user ID entered last, where it was valid.
    var userID: String? { get set }

    /// Call when a user ID was entered.
    ///
    /// - Returns: whether it is valid.
    func updateUserID(from input: String?) -> Bool
}

/// Coordinates normalising and validating, and keeps the result (article "Rehoming View Controller
/// Responsibilities"): the cleaned input is what is validated and kept.
public final class RegistrationViewModel: RegistrationViewModelling {
    public var userID: String?

    private let normaliser: any InputNormalising
    private let validator: any UserIDValidating

    /// A view model that works with the given collaborators.
    public init(
        normaliser: any InputNormalising = InputNormaliser(),
        validator: any UserIDValidating = UserIDValidator()
    ) {
        self.normaliser = normaliser
        self.validator = validator
    }

    public func updateUserID(from input: String?) -> Bool {
        let normalised = normaliser.normalise(input)
        let isValid = validator.isValid(userID: normalised)
        userID = isValid ? normalised : nil
        return isValid
    }
}
