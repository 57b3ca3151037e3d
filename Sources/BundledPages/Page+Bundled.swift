public import BundledControllers
public import BusinessLogic
public import UnderstudyPages

extension Page {
    /// Returns the bundled pages: `login`, `home`, `register`, `signup`, `products`, `product` and `email`.
    ///
    /// With the default arguments, no user can log in and there are no products.
    ///
    /// - Parameters:
    ///   - credentials: verifies usernames and passwords.
    ///   - userIDs: stores the user IDs of logged-in users.
    ///   - passwordPolicy: decides which passwords are accepted at sign-up.
    ///   - accounts: creates the accounts of users who sign up.
    ///   - factors: checks passkeys, and leads to a second factor; `nil` for a login by a password only. Add the pages of ``factors(_:clock:)``
    ///     with it.
    ///   - repository: provides the products.
    ///   - personSaving: stores the email addresses that users save.
    ///   - normaliser: removes white space from user IDs.
    ///   - clock: provides the time of a failed login.
    ///   - loginLimit: how many logins of a session may fail in a row, and how long further logins are rejected.
    public static func bundled(
        credentials: any CredentialChecking = FixedCredentials(),
        userIDs: any UserIDSaving = NoAccounts(),
        passwordPolicy: any PasswordPolicy = NoPasswordPolicy(),
        accounts: any AccountCreating = NoAccounts(),
        factors: (any FactorManaging)? = nil,
        repository: any Repository = ProductsRepository([]),
        personSaving: any PersonSaving = NoAccounts(),
        normaliser: any InputNormalising = InputNormaliser(),
        clock: any WallClock = SystemClock(),
        loginLimit: LoginAttempts.Limit = LoginAttempts.Limit()
    ) -> [Page] {
        let registration = RegistrationViewModel.Collaborators(normaliser: normaliser, userIDs: userIDs)
        return [
            login(credentials, factors, clock, loginLimit),
            Page("home") { HomeBusinessLogicController(identity: $0.identity) },
            Page("register", rules: [.userID(normaliser)], changesUser: false) {
                RegistrationBusinessLogicController(
                    viewModel: RegistrationViewModel($0.recorded(registration), identity: $0.identity)
                )
            },
            Page(
                "signup",
                inNavigation: false,
                rules: [.email, .password(passwordPolicy)],
                messages: passwordPolicy.messages,
                changesUser: false,
                resultExamples: [
                    // No controller treats two objections in different ways.
                    ResultExamples("passwordPolicy", [nil, passwordPolicy.messages.first]),
                    ResultExamples("accounts", [nil, UnconfirmedSignup(id: "1", codeHash: "$argon2id$")]),
                ]
            ) {
                SignupBusinessLogicController(
                    viewModel: SignupViewModel(
                        passwordPolicy: $0.recorded(passwordPolicy),
                        accounts: $0.recorded(accounts),
                        identity: $0.identity,
                        request: $0.codeRequest(NoAccounts(), clock)
                    )
                )
            },
            Page("products", resultExamples: [.demoProducts]) {
                ProductsPresenter(repository: $0.recorded(repository))
            },
            Page("product", inNavigation: false, resultExamples: [.demoProducts]) {
                ProductDetailPresenter(repository: $0.recorded(repository))
            },
            Page(
                "email",
                changesUser: false,
                resultExamples: [ResultExamples("personSaving", ["lisa@rules.example", nil])]
            ) {
                EmailBusinessLogicController(person: Person(store: $0.recorded(personSaving), identity: $0.identity))
            },
        ]
    }

    /// Returns the bundled pages of the demonstration: the user batman with the password bruce, a car and a book.
    public static func demo() -> [Page] {
        bundled(credentials: FixedCredentials.demo, repository: ProductsRepository.demo)
    }

    private static func login(
        _ credentials: any CredentialChecking,
        _ factors: (any FactorManaging)?,
        _ clock: any WallClock,
        _ limit: LoginAttempts.Limit
    ) -> Page {
        let results = ResultExamples("credentials", [User(username: "batman"), nil])
        guard let factors else {
            return Page("login", inNavigation: false, resultExamples: [results]) {
                LoginBusinessLogicController(
                    credentials: $0.recorded(credentials),
                    clock: $0.recorded(clock),
                    limit: limit,
                    identity: $0.identity
                )
            }
        }
        return Page("login", inNavigation: false, resultExamples: [results] + .factors) {
            TwoFactorLoginBusinessLogicController(
                credentials: $0.recorded(credentials),
                factors: $0.recorded(factors),
                login: $0.loginSteps(clock),
                limit: limit
            )
        }
    }
}

extension ResultExamples {
    fileprivate static let demoProducts = ResultExamples("repository", [ProductsRepository.demoProducts])
}

extension FixedCredentials {
    /// The credentials of the demonstration: the user batman with the password bruce.
    public static var demo: FixedCredentials { demo(others: nil) }

    /// The same, with the users of another source.
    public static func demo(others: (any CredentialChecking)?) -> FixedCredentials {
        FixedCredentials(["batman": "bruce"], others: others)
    }
}

extension ProductsRepository {
    /// The products of the demonstration: a car, and a book without a description.
    public static let demo = ProductsRepository(demoProducts)

    fileprivate static let demoProducts = [
        Product(name: "Car", description: "A beautiful car", image: "car"),
        Product(name: "Book", description: "", image: "book"),
    ]
}

extension ValidationRule {
    /// The rule of the page `register`: the user ID is valid. Its normalised form has no white space.
    static func userID(_ normaliser: any InputNormalising) -> ValidationRule {
        ValidationRule("userID", example: " 012345 678912 ", messages: [.invalidUserID]) { value in
            let normalised = normaliser.normalise(value)
            return UserIDValidator().isValid(userID: normalised)
                ? .valid(normalised: normalised) : .invalid(.invalidUserID)
        }
    }

    /// The rule of the pages `signup` and `email`: the email address is valid.
    static var email: ValidationRule {
        ValidationRule("email", maximumLength: 254, example: "lisa@rules", messages: [.invalidEmail]) { value in
            EmailValidator().isValid(email: value) ? .valid() : .invalid(.invalidEmail)
        }
    }

    static func password(_ policy: any PasswordPolicy) -> ValidationRule {
        ValidationRule("password", isSecret: true, messages: policy.messages) { value in
            policy.objection(to: value, name: nil, email: nil, userID: nil).map { .invalid($0) } ?? .valid()
        }
    }
}
