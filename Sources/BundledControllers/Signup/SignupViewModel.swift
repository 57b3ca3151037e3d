public import BusinessLogic

/// What happens on the sign-up screen (article "Test-Driven Reactive Programming"). A text field's text may be nil.
public protocol SignupViewModelInputs {
    /// Call when the view has loaded.
    func viewDidLoad()
    /// Call when the name was edited.
    func nameChanged(_ name: String?)
    /// Call when the email address was edited.
    func emailChanged(_ email: String?)
    /// Call when the password was edited.
    func passwordChanged(_ password: String?)
    /// Call when the submit button was pressed, with what the fields hold at that moment.
    ///
    /// - Throws: where the account could not be created; no attempt is spent then.
    func submitButtonPressed(name: String?, email: String?, password: String?) async throws
}

/// What the sign-up screen has to show.
public protocol SignupViewModelOutputs: AnyObject {
    /// Emits when a message is to be shown as an alert.
    func alertMessage(_ message: Message)
    /// Emits when the submit button is to be enabled or disabled.
    func submitButtonEnabled(_ isEnabled: Bool)
    /// Emits what there is to object to the password; `nil` when there is nothing any more.
    func passwordMessage(_ message: Message?)
}

/// The sign-up screen's three rules:
///
/// 1. the submit button is enabled only when all fields are present;
/// 2. the sign-up is successful if the email address is valid;
/// 3. after three unsuccessful attempts the submit button is disabled for good.
///
/// Beside them stands the policy: a password that it objects to keeps the button disabled, and is no attempt.
public final class SignupViewModel: SignupViewModelInputs {
    /// All that the rules need to remember. Of a password: that it is present.
    public struct State: Codable, Equatable, Sendable {
        var nameIsPresent = false
        var emailIsPresent = false
        var passwordIsPresent = false
        var unsuccessfulAttempts = 0
        /// What was objected to the password that was entered last.
        var passwordObjection: Message?
        /// The state of the submit button shown last; `nil` as long as none has been.
        var submitButtonEnabled: Bool?

        /// Nothing has happened yet.
        public init() {}

        /// Rule 1.
        var formIsPresent: Bool { nameIsPresent && emailIsPresent && passwordIsPresent }
        /// Whether there is anything to submit.
        var canSubmit: Bool { formIsPresent && passwordObjection == nil && !hasTooManyAttempts }
        /// Rule 3.
        var hasTooManyAttempts: Bool { unsuccessfulAttempts >= 3 }
    }

    /// All that the rules need to remember.
    public var state = State()
    /// Where the outputs go.
    public weak var outputs: (any SignupViewModelOutputs)?

    private let emailValidator: any EmailValidating
    private let passwordPolicy: any PasswordPolicy
    private let accounts: any AccountCreating
    private let identity: (any Identity)?

    /// A view model that works with the given collaborators.
    ///
    /// - Parameters:
    ///   - emailValidator: judges email addresses.
    ///   - passwordPolicy: judges passwords.
    ///   - accounts: creates the account of who signs up.
    ///   - identity: tells who that is.
    public init(
        emailValidator: any EmailValidating = EmailValidator(),
        passwordPolicy: any PasswordPolicy = NoPasswordPolicy(),
        accounts: any AccountCreating = NoAccounts(),
        identity: (any Identity)? = nil
    ) {
        self.emailValidator = emailValidator
        self.passwordPolicy = passwordPolicy
        self.accounts = accounts
        self.identity = identity
    }

    public func viewDidLoad() {
        show(submitButtonEnabled: false)
    }

    public func nameChanged(_ name: String?) {
        state.nameIsPresent = isPresent(name)
        updateSubmitButton()
    }

    public func emailChanged(_ email: String?) {
        state.emailIsPresent = isPresent(email)
        updateSubmitButton()
    }

    public func passwordChanged(_ password: String?) {
        state.passwordIsPresent = isPresent(password)
        let objection = isPresent(password) ? objection(to: password) : nil
        if objection != state.passwordObjection { show(passwordObjection: objection) }
        updateSubmitButton()
    }

    public func submitButtonPressed(name: String?, email: String?, password: String?) async throws {
        state.nameIsPresent = isPresent(name)
        state.emailIsPresent = isPresent(email)
        state.passwordIsPresent = isPresent(password)
        guard !state.hasTooManyAttempts else {
            outputs?.alertMessage(.tooManySignupAttempts)
            return
        }
        // Rule 2.
        guard let email, emailValidator.isValid(email: email) else { return countAttempt() }
        if let objection = objection(to: password, name: name, email: email) {
            show(passwordObjection: objection)
            show(submitButtonEnabled: false)
            return
        }
        if state.passwordObjection != nil { show(passwordObjection: nil) }
        try await accounts.createAccount(
            name: name ?? "",
            email: email,
            password: password ?? "",
            for: identity?.client ?? ClientContext()
        )
        outputs?.alertMessage(.signupSuccessful)
    }

    private func countAttempt() {
        state.unsuccessfulAttempts += 1
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

    private func updateSubmitButton() {
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

    private func isPresent(_ text: String?) -> Bool {
        text?.isEmpty == false
    }
}

extension Message {
    /// The sign-up was successful.
    public static let signupSuccessful = Message(code: "signup.successful", text: "Successful")
    /// The sign-up was not successful.
    public static let signupUnsuccessful = Message(code: "signup.unsuccessful", text: "Unsuccessful")
    /// There have been three unsuccessful attempts.
    public static let tooManySignupAttempts = Message(code: "signup.tooManyAttempts", text: "Too Many Attempts")
}
