public import BusinessLogic

/// The logic of the page to which the login screen leads (article "Unit Testing iOS UIViewControllers"): shows the name
/// of the logged-in user, leads to the other pages, and logs the user out.
public final class HomeBusinessLogicController: BusinessLogicController {
    /// The name of the logged-in user.
    public static let username = Output<String>("username", description: "The name of the logged-in user.")

    public static let events: EventTable<HomeBusinessLogicController> = [
        .default("viewDidLoad", gives: [.renders(username), .goes(to: .login)]) { $0.viewDidLoad() }.safe(),
        .event("productsButtonPressed", gives: [.goes(to: .products)]) { $0.goToPage(.products) },
        .event("registerButtonPressed", gives: [.goes(to: .register)]) { $0.goToPage(.register) },
        .event("emailButtonPressed", gives: [.goes(to: .email)]) { $0.goToPage(.email) },
        .event("logoutButtonPressed", gives: [.goes(to: .login)]) { $0.logOut() },
    ]

    public typealias State = NoState

    public weak var controllable: (any Controllable)?
    private let identity: (any Identity)?

    /// Creates the logic of the page.
    ///
    /// - Parameter identity: the session's user. Without it, no user is ever logged in.
    public init(identity: (any Identity)? = nil) { self.identity = identity }

    private func viewDidLoad() {
        if let user = identity?.user {
            render(Self.username, user.username)
        } else {
            goToPage(.login)
        }
    }

    private func logOut() {
        identity?.user = nil
        goToPage(.login)
    }
}
