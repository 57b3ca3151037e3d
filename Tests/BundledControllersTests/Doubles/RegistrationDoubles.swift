import BundledControllers
import BusinessLogic

/// Returns a stubbed result, and records its inputs.
final class StubRegistrationViewModel: RegistrationViewModelling {
    var userID: String?
    var stubbedUpdateUserID: Message?
    private(set) var capturedInputs: [String?] = []

    func updateUserID(from input: String?) -> Message? {
        capturedInputs.append(input)
        return stubbedUpdateUserID
    }
}
