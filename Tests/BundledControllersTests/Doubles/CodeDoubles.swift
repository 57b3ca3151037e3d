import BundledControllers
import BusinessLogic
import Synchronization
import TestSupport

/// Sends the code 12345678 to each address, except that it throws for chris@rules.example. Records to whom.
final class CodesSpy: CodeSending {
    private let log = Mutex<[String]>([])

    /// What was sent and checked, in order.
    var calls: [String] { log.withLock { $0 } }

    private func add(_ call: String) { log.withLock { $0.append(call) } }

    func sendCode(_ purpose: PendingCode.Purpose, to email: String, for client: ClientContext) throws -> String {
        if email == "chris@rules.example" { throw Outage() }
        add("\(purpose) \(email)")
        return "hash"
    }

    func isRight(_ code: String, hash: String, for client: ClientContext) -> Bool {
        add("check \(code)")
        return code == "12345678" && hash == "hash"
    }
}

/// Has one account: that of lisa@rules.example. Records its changes.
final class AccountOwnerSpy: PasswordResetting, AddressConfirming, AccountManaging {
    static let lisa = User(username: "lisa@rules.example", id: "1")
    private let log = Mutex<[String]>([])
    private let storesLater: Bool

    /// - Parameter storesLater: whether the sessions and devices are those before all changes.
    init(storesLater: Bool = false) {
        self.storesLater = storesLater
    }

    /// What was changed, in order.
    var changes: [String] { log.withLock { $0 } }

    private func add(_ change: String) { log.withLock { $0.append(change) } }

    func resetPassword(_ password: String, ofAccountWith email: String, for client: ClientContext) -> Bool {
        add("reset \(email) \(password)")
        return email == Self.lisa.username
    }

    func email(of client: ClientContext) -> String? { client.user == nil ? nil : Self.lisa.username }

    func confirm(_ code: PendingCode, for client: ClientContext) -> User? {
        add("confirm \(code.purpose) \(code.email) \(code.signup ?? "-")")
        return code.email == "taken@rules.example" ? nil : Self.lisa
    }

    func details(of client: ClientContext) -> AccountDetails? {
        guard client.user == Self.lisa else { return nil }
        return AccountDetails(
            name: "Lisa",
            username: Self.lisa.username,
            email: Self.lisa.username,
            emailConfirmed: Timestamp(milliseconds: 1000),
            userID: nil,
            contactEmail: nil,
            created: Timestamp(milliseconds: 1000),
            devices: !storesLater && changes.contains("end device a")
                ? [] : [AccountDevice(id: "a", lastLogin: Timestamp(milliseconds: 2000))]
        )
    }

    func changePassword(to password: String, for client: ClientContext) { add("change password \(password)") }

    func endSessions(for client: ClientContext) { add("end sessions") }

    func sessions(of client: ClientContext) -> [AccountSession] {
        (!storesLater && changes.contains("end session a") ? ["b"] : ["b", "a"]).map { id in
            AccountSession(
                id: id,
                started: Timestamp(milliseconds: 1000),
                lastUsed: Timestamp(milliseconds: 2000),
                isCurrent: id == "b"
            )
        }
    }

    func endSession(_ id: String, for client: ClientContext) -> Bool {
        guard id == "a" else { return false }
        add("end session \(id)")
        return true
    }

    func endDevice(_ id: String, for client: ClientContext) -> Bool {
        guard id == "a" else { return false }
        add("end device \(id)")
        return true
    }

    func deleteAccount(for client: ClientContext) { add("delete") }
}
