import Accounts
import BusinessLogic
import RateLimiting

/// What all pages have in common that only operators use.
class OperatorPage {
    weak var controllable: (any Controllable)?
    let access: OperatorAccess
    let identity: any Identity

    required init(access: OperatorAccess, identity: any Identity) {
        self.access = access
        self.identity = identity
    }
}

extension Eventable where Self: OperatorPage {
    /// Runs `body` with the administration by the operator who is logged in. If no operator is, or the token of the server has changed since,
    /// logs out and goes to the login.
    func asOperator(_ body: (Administration) async throws -> Void) async throws {
        guard let user = identity.user else { return goToPage(.operatorLogin) }
        guard try access.isLoggedIn(user) else {
            identity.user = nil
            return goToPage(.operatorLogin)
        }
        try await body(access.administration.changed(by: identity.client))
    }

    /// The administration for an open page that shows what is new; `nil` if no operator is logged in any more. An update neither logs out nor
    /// goes to another page.
    func administrationForRefresh() throws -> Administration? {
        guard let user = identity.user, try access.isLoggedIn(user) else { return nil }
        return access.administration
    }
}

/// A page that shows a list in parts.
protocol OperatorList: OperatorPage, BusinessLogicController where State == ListPart<Key> {
    associatedtype Key: Codable & Equatable & Sendable
    /// Shows the part of the state.
    func show() async throws
}

extension OperatorList {
    static var hasMore: Output<Bool> { Output("hasMore") }
    /// The number of the first entry that is shown; `nil` at the start of the list.
    static var from: Output<Int?> { Output("from") }
    static var part: [CommandDeclaration] { [.renders(hasMore), .renders(from), .goes(to: .operatorLogin)] }

    func renderPart() {
        render(Self.hasMore, state.hasMore)
        render(Self.from, state.from)
    }

    /// Shows the start of the list, with the search of before.
    func showStart() async throws { try await search(state.search) }

    func search(_ text: String) async throws {
        state = State(search: text)
        try await show()
    }

    func showMore() async throws {
        state.advance()
        try await show()
    }
}

/// Which part of a list a page shows.
struct ListPart<Key: Codable & Equatable & Sendable>: Codable, Equatable, Sendable {
    /// What selects the entries of the list; empty for all.
    private(set) var search = ""
    /// The key of the entry after which the part begins; `nil` for the start of the list.
    private(set) var last: Key?
    /// The number of the first entry of the part; `nil` for the start of the list.
    private(set) var from: Int?
    /// The key of the last entry of the part, if there are more.
    private var end: Key?

    /// The maximum number of entries of a part.
    private static var count: Int { 50 }

    init(search: String = "") {
        self.search = search
    }

    /// How many entries ``cut(_:key:)`` needs at most.
    var limit: Int { Self.count + 1 }

    var hasMore: Bool { end != nil }

    /// Goes to the next part. At the end, the list begins again.
    mutating func advance() {
        last = end
        from = end == nil ? nil : (from ?? 1) + Self.count
    }

    /// The entries of the part. Give those after ``last``, at most ``limit``.
    mutating func cut<Entry>(_ entries: [Entry], key: (Entry) -> Key) -> [Entry] {
        let part = Array(entries.prefix(Self.count))
        end = entries.count > part.count ? part.last.map(key) : nil
        return part
    }
}

/// Lets operators use the administration after they have logged in with the token of the server.
struct OperatorAccess: Sendable {
    let token: OperatorToken
    let administration: Administration
    let overview: @Sendable () async throws -> Overview

    /// How often one address may enter a wrong token.
    private let failures = AddressLimit(Rate(10, per: .seconds(60)), limitsLoopback: true)

    /// Checks the token of an operator, whom the audit log calls `name`. Returns `nil` if the token is wrong. Throws `.tooManyRequests` after
    /// too many wrong tokens of an address.
    func logIn(token text: String, as name: String, for client: ClientContext) async throws -> User? {
        let clock = administration.clock
        // Counted before anything waits, so that attempts at once cannot exceed the limit.
        if let delay = failures.take(client.address, isForwarded: client.isForwarded, at: clock.steady) {
            throw CollaboratorError.tooManyRequests(retryAfter: delay)
        }
        let id = OperatorToken.id(of: Array(text.utf8))
        var isWrong = false
        do {
            // Without the file, no token is wrong.
            defer { if !isWrong { failures.giveBack(client.address, isForwarded: client.isForwarded) } }
            isWrong = try token.id != id
        }
        var event = AuditEvent(isWrong ? .operatorLoginFailed : .operatorLogin, at: clock.now, client: client)
        // What is typed before a wrong token can be a password.
        if !isWrong { event.operatorName = name }
        await administration.audit.record(event)
        return isWrong ? nil : User(username: name, id: id)
    }

    /// Whether the token with which the operator has logged in still applies.
    func isLoggedIn(_ operator: User) throws -> Bool { try token.id == `operator`.id }

    func recordLogout(of operator: ClientContext) async {
        await administration.changed(by: `operator`).record(.operatorLogout)
    }
}

/// The logic of the page on which an operator logs in with the token of the server.
final class OperatorLoginController: OperatorPage, BusinessLogicController {
    /// What the operator is called in the audit log.
    static let name = Field<String>("operator", minimumLength: 1, maximumLength: 128)
    /// The token in the file that the setting `admin-token-file` names.
    static let token = Field<String>("token", isSecret: true, minimumLength: 1)
    /// Why the login failed.
    static let message = Output<Message?>("message")

    static let events: EventTable<OperatorLoginController> = [
        .default(
            "loginButtonPressed",
            reads: name,
            token,
            gives: [.renders(message, .wrongToken, .invalidOperator), .goes(to: .overview)]
        ) { try await $0.logIn($1, $2) }
    ]

    typealias State = NoState

    private func logIn(_ name: String, _ token: String) async throws {
        let name = name.replacing(/^\s+|\s+$/, with: "")
        guard OperatorOptions.isValid(name) else { return render(Self.message, .invalidOperator) }
        guard let user = try await access.logIn(token: token, as: name, for: identity.client) else {
            return render(Self.message, .wrongToken)
        }
        render(Self.message, nil)
        identity.user = user
        goToPage(.overview)
    }
}

extension Message {
    static let wrongToken = Message(code: "operator.wrongToken", text: "This is not the token of the server")
    /// The name contains control characters, or only spaces.
    static let invalidOperator = Message(
        code: "operator.invalidName",
        text: "Enter your name, without control characters",
        field: "operator"
    )
}

extension Destination where Values == () {
    static var operatorLogin: Destination { Destination("login") }
    /// The page that shows how the server is.
    static var overview: Destination { Destination("home") }
}
