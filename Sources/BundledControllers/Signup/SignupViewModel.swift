public import BusinessLogic

/// What the sign-up screen must show.
protocol SignupViewModelOutputs: AnyObject {
    /// Emits when the screen must show a message as an alert.
    func alertMessage(_ message: Message)
    /// Emits when the screen must enable or disable the submit button.
    func submitButtonEnabled(_ isEnabled: Bool)
    /// Emits why the password is rejected; `nil` once it is accepted.
    func passwordMessage(_ message: Message?)
    /// Emits what is missing in the form; `nil` once nothing is missing.
    func formMessage(_ message: Message?)
    /// Emits when a code was sent with which the user confirms the address.
    func codeSent()
}

/// The sign-up screen's three rules (article "Test-Driven Reactive Programming"):
///
/// 1. the submit button is enabled only if all fields are present, and only then can the form be submitted;
/// 2. the sign-up is successful if the email address is valid;
/// 3. after three unsuccessful attempts, the submit button is disabled permanently.
///
/// In addition, a password to which the policy objects keeps the button disabled, and does not count as an attempt.
public final class SignupViewModel {
    /// What the rules need from one event to the next. Of a password, only its presence is stored.
    public struct State: Codable, Equatable, Sendable {
        var nameIsPresent = false
        var emailIsPresent = false
        var passwordIsPresent = false
        var unsuccessfulAttempts = 0
        var passwordObjection: Message?
        /// `nil` before the first state of the button is shown.
        var submitButtonEnabled: Bool?
        /// The field that the screen's message asks for; `nil` if it shows no such message.
        var requestedField: String?

        /// Rule 1: the first field that is not present.
        var missingField: String? {
            if !nameIsPresent { return SignupBusinessLogicController.name.name }
            if !emailIsPresent { return SignupBusinessLogicController.email.name }
            return passwordIsPresent ? nil : SignupBusinessLogicController.password.name
        }
        var canSubmit: Bool { missingField == nil && passwordObjection == nil && !hasTooManyAttempts }
        /// Rule 3.
        var hasTooManyAttempts: Bool { unsuccessfulAttempts >= 3 }
    }

    var state = State()
    weak var outputs: (any SignupViewModelOutputs)?

    private let emailValidator: any EmailValidating
    private let passwordPolicy: any PasswordPolicy
    private let accounts: any AccountCreating
    private let identity: (any Identity)?
    private let request: CodeRequest?

    /// Creates a view model with those collaborators.
    ///
    /// - Parameters:
    ///   - emailValidator: decides which email addresses are valid.
    ///   - passwordPolicy: decides which passwords are accepted.
    ///   - accounts: creates the account of the user who signs up.
    ///   - identity: the client that signs up.
    ///   - request: waits for the code with which the client confirms its address; `nil` if `accounts` needs no confirmation.
    public init(
        emailValidator: any EmailValidating = EmailValidator(),
        passwordPolicy: any PasswordPolicy = NoPasswordPolicy(),
        accounts: any AccountCreating = NoAccounts(),
        identity: (any Identity)? = nil,
        request: CodeRequest? = nil
    ) {
        self.emailValidator = emailValidator
        self.passwordPolicy = passwordPolicy
        self.accounts = accounts
        self.identity = identity
        self.request = request
    }

    func viewDidLoad() { show(submitButtonEnabled: false) }

    /// A text field's text may be nil.
    func nameChanged(_ name: String?) {
        state.nameIsPresent = isPresent(name)
        updateScreen()
    }

    func emailChanged(_ email: String?) {
        state.emailIsPresent = isPresent(email)
        updateScreen()
    }

    func passwordChanged(_ password: String?) {
        state.passwordIsPresent = isPresent(password)
        let objection = isPresent(password) ? objection(to: password) : nil
        if objection != state.passwordObjection { show(passwordObjection: objection) }
        updateScreen()
    }

    /// The fields have their current content. If the account cannot be created now, this throws, and the attempt does not count.
    func submitButtonPressed(name: String?, email: String?, password: String?) async throws {
        state.nameIsPresent = isPresent(name)
        state.emailIsPresent = isPresent(email)
        state.passwordIsPresent = isPresent(password)
        guard !state.hasTooManyAttempts else {
            outputs?.alertMessage(.tooManySignupAttempts)
            return
        }
        // Rule 1, whatever the button shows: a client can submit without a button.
        if let missing = state.missingField {
            state.requestedField = missing
            outputs?.formMessage(.signupIncomplete.about(missing))
            show(submitButtonEnabled: false)
            return
        }
        if state.requestedField != nil { updateScreen() }
        // Rule 2.
        guard let email, emailValidator.isValid(email: email) else { return countAttempt() }
        if let objection = objection(to: password, name: name, email: email) {
            show(passwordObjection: objection)
            show(submitButtonEnabled: false)
            return
        }
        if state.passwordObjection != nil { show(passwordObjection: nil) }
        let unconfirmed = try await accounts.signUp(
            name: name ?? "",
            email: email,
            password: password ?? "",
            for: identity?.client ?? ClientContext()
        )
        if let unconfirmed { request?.keep(unconfirmed.codeHash, .confirm, email: email, signup: unconfirmed.id) }
        outputs?.alertMessage(.signupSuccessful)
        if unconfirmed != nil { outputs?.codeSent() }
    }

    private func countAttempt() {
        state.unsuccessfulAttempts = state.unsuccessfulAttempts.addingSaturated(1)
        if state.hasTooManyAttempts {
            outputs?.alertMessage(.tooManySignupAttempts)
            show(submitButtonEnabled: false)
        } else {
            outputs?.alertMessage(.signupUnsuccessful)
        }
    }

    private func objection(to password: String?, name: String? = nil, email: String? = nil) -> Message? {
        passwordPolicy.objection(to: password ?? "", name: name, email: email, userID: nil)
    }

    private func updateScreen() {
        if let field = state.requestedField, field != state.missingField {
            state.requestedField = nil
            outputs?.formMessage(nil)
        }
        if state.submitButtonEnabled != state.canSubmit { show(submitButtonEnabled: state.canSubmit) }
    }

    private func show(submitButtonEnabled isEnabled: Bool) {
        state.submitButtonEnabled = isEnabled
        outputs?.submitButtonEnabled(isEnabled)
    }

    private func show(passwordObjection objection: Message?) {
        state.passwordObjection = objection
        outputs?.passwordMessage(objection)
    }

    private func isPresent(_ text: String?) -> Bool { text?.isEmpty == false }
}

extension Message {
    /// The sign-up was successful.
    public static let signupSuccessful = Message.notice(code: "signup.successful", text: "Successful")
    /// A field is empty.
    public static let signupIncomplete = Message(code: "signup.incomplete", text: "Fill in this field")
    /// The sign-up was not successful.
    public static let signupUnsuccessful = Message(code: "signup.unsuccessful", text: "Unsuccessful", field: "email")
    /// There have been three unsuccessful attempts.
    public static let tooManySignupAttempts = Message(code: "signup.tooManyAttempts", text: "Too Many Attempts")
}
