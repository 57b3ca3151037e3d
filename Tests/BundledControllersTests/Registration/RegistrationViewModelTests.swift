import TestSupport
import Testing

@Suite struct RegistrationViewModelTests {
    private let identity = StubIdentity(ClientContext(user: User(username: "lisa", id: "1"), requestID: "r"))
    private let store = UserIDStore(["111111111111": ClientContext(user: User(username: "bart", id: "2"))])
    private let viewModel: RegistrationViewModel

    init() {
        viewModel = RegistrationViewModel(userIDs: store, identity: identity)
        viewModel.userID = "210987654321"
    }

    @Test(
        arguments: [
            (" 012345\n678912 ", nil, "012345678912"), ("1", .invalidUserID, nil), (nil, .invalidUserID, nil),
            ("111111111111", .userIDTaken, nil),
        ] as [(String?, Message?, String?)]
    )
    func `a valid user ID is saved, normalised, for the logged-in user, and any other one clears the previous one`(
        input: String?,
        message: Message?,
        userID: String?
    ) async throws {
        #expect(try await viewModel.updateUserID(from: input) == message)
        #expect(viewModel.userID == userID)
        #expect(await store.owners.filter { $0.value == identity.client }.map(\.key) == [userID].compactMap(\.self))
    }

    @Test func `without a logged-in user, a valid user ID is kept and not saved`() async throws {
        identity.user = nil
        #expect(try await viewModel.updateUserID(from: "012345678912") == nil)
        #expect(viewModel.userID == "012345678912")
        #expect(await store.owners.count == 1)
    }

    @Test func `if a user ID cannot be saved, the previous one stays`() async throws {
        await #expect(throws: Outage()) { try await viewModel.updateUserID(from: "999999999999") }
        #expect(viewModel.userID == "210987654321")
    }

    @Test(arguments: [("a", nil), ("b", .invalidUserID)] as [(String, Message?)])
    func `the injected normaliser and validator decide what is valid`(input: String, message: Message?) async throws {
        struct Doubling: InputNormalising {
            func normalise(_ input: String?) -> String { (input ?? "") + (input ?? "") }
        }
        struct OnlyDoubleA: UserIDValidating {
            func isValid(userID: String?) -> Bool { userID == "aa" }
        }
        let viewModel = RegistrationViewModel(normaliser: Doubling(), validator: OnlyDoubleA())
        #expect(try await viewModel.updateUserID(from: input) == message)
    }
}
