/// The screen's state, and what happens to the user's input.
protocol RegistrationViewModelling: AnyObject {
    var state: RegistrationState { get set }

    /// Returns whether the input is a valid user ID.
    func updateUserID(from input: String?) -> Bool
}

/// Everything that the screen remembers from one event to the next.
struct RegistrationState: Codable {
    var userID: String?
    var mistakes = 0

    var needsHelp: Bool { mistakes == 3 }
}

/// Normalises the input, validates the result, and stores it. Counts the mistakes in a row, from 1 to 3.
final class RegistrationViewModel: RegistrationViewModelling {
    var state = RegistrationState()

    private let normaliser: any InputNormalising
    private let validator: any UserIDValidating

    init(
        normaliser: any InputNormalising = InputNormaliser(),
        validator: any UserIDValidating = UserIDValidator()
    ) {
        self.normaliser = normaliser
        self.validator = validator
    }

    func updateUserID(from input: String?) -> Bool {
        let userID = normaliser.normalise(input)
        let isValid = validator.isValid(userID)
        state = isValid ? RegistrationState(userID: userID) : RegistrationState(mistakes: state.mistakes % 3 + 1)
        return isValid
    }
}
