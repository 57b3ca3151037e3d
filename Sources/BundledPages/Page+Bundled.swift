public import BundledControllers
public import BusinessLogic
public import Understudy

extension Page {
    /// The pages that Understudy brings along, one for each of the articles' screens.
    ///
    /// - Parameters:
    ///   - credentials: knows whose password is right.
    ///   - userIDs: keeps the user IDs of those who have logged in.
    ///   - passwordPolicy: says which passwords will do at sign-up.
    ///   - accounts: creates the accounts of those who sign up.
    ///   - repository: has the products.
    ///   - personSaving: keeps the email addresses that are saved.
    ///   - normaliser: removes white space from a user ID.
    ///   - userIDValidator: decides which user IDs are valid.
    ///   - emailValidator: decides which email addresses are valid.
    ///   - clock: tells when failures to log in stop counting.
    ///   - loginLimit: how many failures to log in are allowed.
    public static func bundled(
        credentials: any CredentialChecking = NoCredentials(),
        userIDs: any UserIDSaving = NoUserIDSaving(),
        passwordPolicy: any PasswordPolicy = NoPasswordPolicy(),
        accounts: any AccountCreating = NoAccounts(),
        repository: any Repository = ProductsRepository([]),
        personSaving: any PersonSaving = NoPersonSaving(),
        normaliser: any InputNormalising = InputNormaliser(),
        userIDValidator: any UserIDValidating = UserIDValidator(),
        emailValidator: any EmailValidating = EmailValidator(),
        clock: any WallClock = SystemClock(),
        loginLimit: LoginAttempts.Limit = LoginAttempts.Limit()
    ) -> [Page] {
        [
            Page("login", examples: PageExample.login) {
                LoginBusinessLogicController(
                    credentials: $0.recorded(credentials),
                    clock: $0.recorded(clock),
                    limit: loginLimit,
                    identity: $0.identity
                )
            },
            Page("register", rules: [.userID(normaliser, userIDValidator)], examples: PageExample.register) {
                RegistrationBusinessLogicController(
                    viewModel: RegistrationViewModel(normaliser: normaliser, validator: userIDValidator),
                    userIDs: $0.recorded(userIDs),
                    identity: $0.identity
                )
            },
            Page(
                "signup",
                rules: [.email(emailValidator), .password(passwordPolicy)],
                examples: PageExample.signup
            ) {
                SignupBusinessLogicController(
                    viewModel: SignupViewModel(
                        emailValidator: emailValidator,
                        passwordPolicy: $0.recorded(passwordPolicy),
                        accounts: $0.recorded(accounts),
                        identity: $0.identity
                    )
                )
            },
            Page("products", examples: PageExample.products) {
                ProductsPresenter(repository: $0.recorded(repository))
            },
            Page("product", examples: PageExample.product) {
                ProductDetailPresenter(repository: $0.recorded(repository))
            },
            Page("email", examples: PageExample.email) {
                EmailBusinessLogicController(
                    person: Person(validator: emailValidator, store: $0.recorded(personSaving), identity: $0.identity)
                )
            },
        ]
    }

    /// The bundled pages as the articles show them: the account batman / bruce, a car and a book.
    ///
    /// - Parameters:
    ///   - credentials: knows whose password is right, of everybody but batman.
    ///   - userIDs: keeps the user IDs of those who have logged in.
    ///   - passwordPolicy: says which passwords will do at sign-up.
    ///   - accounts: creates the accounts of those who sign up.
    ///   - personSaving: keeps the email addresses that are saved.
    public static func demo(
        credentials: any CredentialChecking = NoCredentials(),
        userIDs: any UserIDSaving = NoUserIDSaving(),
        passwordPolicy: any PasswordPolicy = NoPasswordPolicy(),
        accounts: any AccountCreating = NoAccounts(),
        personSaving: any PersonSaving = NoPersonSaving()
    ) -> [Page] {
        bundled(
            credentials: BatmanOr(others: credentials),
            userIDs: userIDs,
            passwordPolicy: passwordPolicy,
            accounts: accounts,
            repository: ProductsRepository([
                Product(name: "Car", description: "A beautiful car", image: "car"),
                Product(name: "Book", description: "", image: "book"),
            ]),
            personSaving: personSaving
        )
    }
}

/// The articles' account, and others beside it.
private struct BatmanOr: CredentialChecking {
    let others: any CredentialChecking
    private let batman = FixedCredentials(["batman": "bruce"])

    init(others: any CredentialChecking) {
        self.others = others
    }

    func authenticate(username: String, password: String, for client: ClientContext) async throws -> User? {
        if username == "batman" { return batman.authenticate(username: username, password: password) }
        return try await others.authenticate(username: username, password: password, for: client)
    }
}
