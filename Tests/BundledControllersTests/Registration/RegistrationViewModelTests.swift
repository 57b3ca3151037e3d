import BundledControllers
import BusinessLogic
import Testing
import TestSupport
import UnderstudyTesting

@Suite struct RegistrationViewModelTests {
    private let normaliser = StubInputNormaliser()
    private let validator = StubUserIDValidator()
    private let viewModel: RegistrationViewModel

    init() {
        normaliser.stubbedNormalise.value = "012345678912"
        viewModel = RegistrationViewModel(normaliser: normaliser, validator: validator)
    }

    @Test func `a valid user ID is reported as valid, and kept as it was normalised`() async throws {
        validator.stubbedIsValid.value = true
        #expect(try await viewModel.updateUserID(from: " raw input ") == nil)
        #expect(viewModel.userID == "012345678912")
    }

    @Test func `an invalid user ID is reported as invalid, and clears the previous one`() async throws {
        viewModel.userID = "210987654321"
        validator.stubbedIsValid.value = false
        #expect(try await viewModel.updateUserID(from: " raw input ") == .invalidUserID)
        #expect(viewModel.userID == nil)
    }

    @Test(arguments: [" raw input ", nil])
    func `the raw input is normalised and then validated`(input: String?) async throws {
        _ = try await viewModel.updateUserID(from: input)
        #expect(normaliser.capturedInputs.value == [input])
        #expect(validator.capturedUserIDs.value == ["012345678912"])
    }

    // MARK: Saving

    private let identity = IdentityStub(ClientContext(user: User(username: "lisa", id: "1"), requestID: "r"))
    private let store = UserIDStore()

    private func viewModel(saving userIDs: some UserIDSaving) -> RegistrationViewModel {
        RegistrationViewModel(normaliser: normaliser, validator: validator, userIDs: userIDs, identity: identity)
    }

    @Test func `a valid user ID is saved, normalised, for the logged-in user`() async throws {
        #expect(try await viewModel(saving: store).updateUserID(from: " raw input ") == nil)
        #expect(await store.owners == ["012345678912": identity.client])
    }

    @Test func `an invalid user ID is not saved`() async throws {
        validator.stubbedIsValid.value = false
        #expect(try await viewModel(saving: store).updateUserID(from: " raw input ") == .invalidUserID)
        #expect(await store.owners == [:])
    }

    @Test func `without a logged-in user, a valid user ID is kept and not saved`() async throws {
        identity.user = nil
        let viewModel = viewModel(saving: store)
        #expect(try await viewModel.updateUserID(from: " raw input ") == nil)
        #expect(viewModel.userID == "012345678912")
        #expect(await store.owners == [:])
    }

    @Test func `a user ID of another user is rejected and clears the previous one`() async throws {
        _ = try await store.save(userID: "012345678912", for: ClientContext(user: User(username: "bart", id: "2")))
        let viewModel = viewModel(saving: store)
        viewModel.userID = "210987654321"
        #expect(try await viewModel.updateUserID(from: " raw input ") == .userIDTaken)
        #expect(viewModel.userID == nil)
    }

    @Test func `if a user ID cannot be saved, the previous one stays`() async throws {
        normaliser.stubbedNormalise.value = "999999999999"
        let viewModel = viewModel(saving: store)
        viewModel.userID = "210987654321"
        await #expect(throws: Outage()) { try await viewModel.updateUserID(from: " raw input ") }
        #expect(viewModel.userID == "210987654321")
    }
}
