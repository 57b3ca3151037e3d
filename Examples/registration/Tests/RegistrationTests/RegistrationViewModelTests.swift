import Testing

@testable import registration

private struct StubNormaliser: InputNormalising {
    func normalise(_ input: String?) -> String { "normalised \(input ?? "nothing")" }
}

private struct StubValidator: UserIDValidating {
    let validUserID: String?

    func isValid(_ userID: String) -> Bool { userID == validUserID }
}

@Suite struct RegistrationViewModelTests {
    @Test func `the validator gets the normalised input, which is stored if it is valid`() {
        let validator = StubValidator(validUserID: "normalised input")
        let viewModel = RegistrationViewModel(normaliser: StubNormaliser(), validator: validator)
        #expect(viewModel.updateUserID(from: "input"))
        #expect(viewModel.state.userID == "normalised input")
    }

    @Test func `an invalid input removes the stored user ID`() {
        let viewModel = RegistrationViewModel(validator: StubValidator(validUserID: nil))
        viewModel.state = RegistrationState(userID: "012345678912")
        #expect(!viewModel.updateUserID(from: "input"))
        #expect(viewModel.state.userID == nil)
    }
}
