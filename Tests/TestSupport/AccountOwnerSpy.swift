import Synchronization

/// Has one account: unless another is given, that of lisa@rules.example. Sends the code 12345678 to each address, except that it throws for
/// chris@rules.example. Records its changes, and the codes.
package final class AccountOwnerSpy: AccountManaging {
    package static let lisa = User(username: "lisa@rules.example", id: "1")
    let log = Mutex<[String]>([])
    let codeLog = Mutex<[String]>([])
    let user: User
    let address: Mutex<String>
    let storesLater: Bool

    /// - Parameter storesLater: whether the sessions, devices and agents are those before the last change.
    package init(_ user: User = lisa, storesLater: Bool = false) {
        self.user = user
        address = Mutex(user.username)
        self.storesLater = storesLater
    }

    /// What was changed, in order.
    package var changes: [String] { log.withLock { $0 } }

    /// Which codes were sent and checked, in order.
    package var codes: [String] { codeLog.withLock { $0 } }

    package func sendCode(_ purpose: PendingCode.Purpose, to email: String, for client: ClientContext) throws -> String
    {
        if email == "chris@rules.example" { throw Outage() }
        codeLog.withLock { $0.append("\(purpose) \(email)") }
        return "hash"
    }

    package func isRight(_ code: String, hash: String, for client: ClientContext) -> Bool {
        codeLog.withLock { $0.append("check \(code)") }
        return code == "12345678" && hash == "hash"
    }

    /// Changes the email address of the account, as elsewhere.
    package func setEmail(_ email: String) { address.withLock { $0 = email } }

    var stored: [String] { storesLater ? changes.dropLast() : changes }

    func hasAgent(after changes: [String]) -> Bool {
        changes.last { $0.hasPrefix("add agent") || $0 == "end device c" }?.hasPrefix("add") == true
    }

    func add(_ change: String) { log.withLock { $0.append(change) } }

    package func resetPassword(_ password: String, ofAccountWith email: String, for client: ClientContext) -> Bool {
        add("reset \(email) \(password)")
        return email == Self.lisa.username
    }

    package func email(of client: ClientContext) -> String? { client.user == nil ? nil : Self.lisa.username }

    package func confirm(_ code: PendingCode, for client: ClientContext) -> User? {
        add("confirm \(code.purpose) \(code.email) \(code.signup ?? "-")")
        if code.email == "taken@rules.example" { return nil }
        return code.purpose == .change ? User(username: code.email, id: Self.lisa.id) : Self.lisa
    }

    package func details(of client: ClientContext) -> AccountDetails? {
        guard client.user?.username == user.username else { return nil }
        return AccountDetails(
            name: "Lisa",
            username: user.username,
            email: address.withLock { $0 },
            emailConfirmed: .ms(1000),
            userID: nil,
            contactEmail: nil,
            created: .ms(1000),
            devices: stored.contains("end device a")
                ? [] : [AccountDevice(id: "a", lastLogin: .ms(2000))],
            agents: hasAgent(after: stored) ? [Self.agent] : []
        )
    }

    package func changePassword(to password: String, for client: ClientContext) { add("change password \(password)") }

    package func endSessions(for client: ClientContext) { add("end sessions") }

    package func sessions(of client: ClientContext) -> AccountSessions {
        let ids = stored.contains("end session a") ? ["b"] : ["a", "b"]
        return AccountSessions(
            ids.map { id in
                AccountSession(
                    id: id,
                    started: .ms(1000),
                    lastUsed: .ms(2000),
                    browser: "Firefox, Linux",
                    isCurrent: id == "b"
                )
            }
        )
    }

    package func endSession(_ id: String, for client: ClientContext) -> Bool {
        guard id == "a" else { return false }
        add("end session \(id)")
        return true
    }

    static let agent = AccountAgent(id: "c", name: "Claude", mayChange: true, expires: .ms(3000))

    package func addAgent(_ agent: AgentGrant, days: Int, for client: ClientContext) -> NewAgent? {
        add("add agent \(agent.name) \(agent.mayChange) \(days)")
        return NewAgent(Self.agent, token: "token")
    }

    package func endDevice(_ id: String, for client: ClientContext) -> Bool {
        guard id == "a" || id == Self.agent.id && hasAgent(after: changes) else { return false }
        add("end device \(id)")
        return true
    }

    package func deleteAccount(for client: ClientContext) { add("delete") }
}
