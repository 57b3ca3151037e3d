import BundledControllers
import BusinessLogic
import Synchronization
import TestSupport

/// Has one account with factors: that of lisa@rules.example. Its code is 123456, and its passkey signs by repeating the challenge. Records what is
/// asked and changed.
final class FactorsSpy: FactorChecking, FactorManaging {
    static let lisa = User(username: "lisa@rules.example", id: "1")
    static let app = NewAuthenticatorApp(
        secret: "secret",
        text: "SECR ET",
        address: "otpauth://totp/",
        qrCode: "data:,"
    )
    private let state = Mutex<(log: [String], challenges: Int)>(([], 0))
    private let hasPasskeys: Bool
    private let codesLeft: Int

    /// - Parameters:
    ///   - hasPasskeys: whether there can be passkeys.
    ///   - codesLeft: the recovery codes after a change, which creates some if there are ten.
    init(hasPasskeys: Bool = true, codesLeft: Int = 10) {
        self.hasPasskeys = hasPasskeys
        self.codesLeft = codesLeft
    }

    /// What was asked and changed, in order.
    var calls: [String] { state.withLock { $0.log } }

    private func add(_ call: String) { state.withLock { $0.log.append(call) } }

    private func request() -> PasskeyRequest? {
        guard hasPasskeys else { return nil }
        let number = state.withLock { state in
            state.challenges += 1
            return state.challenges
        }
        return PasskeyRequest(challenge: "challenge \(number)", options: ["challenge": .string("challenge \(number)")])
    }

    private func owns(_ client: ClientContext) -> Bool { client.user == Self.lisa }

    func factors(for login: PendingLogin) -> LoginFactors? {
        login.proof == "right" ? LoginFactors(passkey: true, authenticatorApp: true, recoveryCodes: false) : nil
    }

    func passkeyRequest(for login: PendingLogin?, _ client: ClientContext) -> PasskeyRequest? { request() }

    func user(
        withPasskey response: String,
        challenge: String,
        for login: PendingLogin?,
        _ client: ClientContext
    ) throws -> User? {
        add("passkey of \(login?.user.username ?? "anyone")")
        if response == "outage" { throw Outage() }
        return response == challenge ? Self.lisa : nil
    }

    func user(withCode code: String, for login: PendingLogin, _ client: ClientContext) throws -> User? {
        add("code of \(login.user.username)")
        if code == "outage" { throw Outage() }
        return code == "123456" ? Self.lisa : nil
    }

    func factors(of client: ClientContext) -> AccountFactors? { owns(client) ? AccountFactors() : nil }

    func passkeyCreation(for client: ClientContext) -> PasskeyRequest? { request() }

    private func changed(_ call: String, if isRight: Bool) -> FactorChange? {
        add(call)
        guard isRight else { return nil }
        let codes = codesLeft == 10 ? ["aaaaa-bbbbb"] : []
        return FactorChange(factors: AccountFactors(recoveryCodes: codesLeft), recoveryCodes: codes)
    }

    func addPasskey(
        _ response: String,
        named name: String,
        challenge: String,
        for client: ClientContext
    ) -> FactorChange? { changed("add passkey '\(name)'", if: response == challenge) }

    func newAuthenticatorApp(for client: ClientContext) -> NewAuthenticatorApp? { Self.app }

    func addAuthenticatorApp(secret: String, code: String, for client: ClientContext) -> FactorChange? {
        changed("add app", if: secret == Self.app.secret && code == "123456")
    }

    func newRecoveryCodes(for client: ClientContext) -> FactorChange? { changed("codes", if: codesLeft > 0) }

    func removePasskey(_ id: String, for client: ClientContext) -> FactorChange? {
        changed("remove passkey", if: id == "a")
    }

    func removeAuthenticatorApp(for client: ClientContext) -> FactorChange? {
        changed("remove app", if: codesLeft < 10)
    }

    func endOtherSessions(for client: ClientContext) { add("end other sessions") }
}
