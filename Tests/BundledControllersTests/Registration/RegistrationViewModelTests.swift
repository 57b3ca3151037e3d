import BundledControllers
import BusinessLogic
import Testing
import UnderstudyTesting

@Suite struct RegistrationViewModelTests {
    private let normaliser = StubInputNormaliser()
    private let validator = StubUserIDValidator()
    private let viewModel: RegistrationViewModel

    init() {
        normaliser.stubbedNormalise.value = "012345678912"
        viewModel = RegistrationViewModel(normaliser: normaliser, validator: validator)
    }

    @Test func `a valid user ID is kept as it was normalised`() {
        validator.stubbedIsValid.value = true
        _ = viewModel.updateUserID(from: " raw input ")
        #expect(viewModel.userID == "012345678912")
    }

    @Test func `a valid user ID is reported as valid`() {
        validator.stubbedIsValid.value = true
        #expect(viewModel.updateUserID(from: " raw input "))
    }

    @Test func `an invalid user ID clears the previous one`() {
        viewModel.userID = "210987654321"
        validator.stubbedIsValid.value = false
        _ = viewModel.updateUserID(from: " raw input ")
        #expect(viewModel.userID == nil)
    }

    @Test func `an invalid user ID is reported as invalid`() {
        validator.stubbedIsValid.value = false
        #expect(!viewModel.updateUserID(from: " raw input "))
    }

    @Test(arguments: [" raw input ", nil])
    func `the raw input is normalised and then validated`(input: String?) {
        _ = viewModel.updateUserID(from: input)
        #expect(normaliser.capturedInputs.value == [input])
        #expect(validator.capturedUserIDs.value == ["012345678912"])
    }
}
