import BusinessLogic

/// Asks for a telephone number, and sends a code to it.
final class NumberController: BusinessLogicController {
    static let number = Field<PhoneNumber>("number")

    static let events: EventTable<NumberController> = [
        .default("viewDidLoad") { _ in }.safe(),
        .event("continueButtonPressed", reads: number, gives: [.goes(to: .code)]) { try await $0.sendCode(to: $1) },
    ]

    typealias State = NoState

    weak var controllable: (any Controllable)?
    private let onboarding: Shared<Onboarding>
    private let codes: any CodeSending

    init(onboarding: Shared<Onboarding>, codes: any CodeSending) {
        self.onboarding = onboarding
        self.codes = codes
    }

    private func sendCode(to number: PhoneNumber) async throws {
        onboarding.value = Onboarding(number: number, code: try await codes.sendCode(to: number))
        goToPage(.code)
    }
}
