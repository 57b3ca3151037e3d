import BundledControllers
import BusinessLogic
import UnderstudyTesting

/// Returns a stubbed text, and records its inputs.
final class StubInputNormaliser: InputNormalising {
    let stubbedNormalise = LockedValue("")
    let capturedInputs = LockedValue<[String?]>([])

    func normalise(_ input: String?) -> String {
        capturedInputs.value.append(input)
        return stubbedNormalise.value
    }
}

/// Returns a stubbed result, and records its inputs.
final class StubUserIDValidator: UserIDValidating {
    let stubbedIsValid = LockedValue(true)
    let capturedUserIDs = LockedValue<[String?]>([])

    func isValid(userID: String?) -> Bool {
        capturedUserIDs.value.append(userID)
        return stubbedIsValid.value
    }
}

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
