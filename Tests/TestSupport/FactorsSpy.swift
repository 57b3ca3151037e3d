import Synchronization

/// Has one account with factors: that of lisa@rules.example. Its code is 123456, and its passkey signs by repeating the challenge. Records what is
/// asked and changed.
package final class FactorsSpy: FactorManaging {
    package static let lisa = User(username: "lisa@rules.example", id: "1")
    package static let app = NewAuthenticatorApp(
        secret: "s3cr3t",
        text: "S3CR 3T",
        address: "otpauth:s3cr3t",
        qrCode: "data:s3cr3t"
    )
    let state = Mutex<(log: [String], challenges: Int)>(([], 0))
    let hasPasskeys: Bool
    let codesLeft: Int
    let needsConfirmation: Bool

    /// - Parameters:
    ///   - hasPasskeys: whether there can be passkeys.
    ///   - codesLeft: the recovery codes after a change, which creates some if there are ten.
    ///   - needsConfirmation: whether the address must be confirmed before a factor is added.
    package init(hasPasskeys: Bool = true, codesLeft: Int = 10, needsConfirmation: Bool = false) {
        (self.hasPasskeys, self.codesLeft, self.needsConfirmation) = (hasPasskeys, codesLeft, needsConfirmation)
    }

    /// What was asked and changed, in order.
    package var calls: [String] { state.withLock { $0.log } }

    func add(_ call: String) { state.withLock { $0.log.append(call) } }

    func request() -> Value? {
        guard hasPasskeys else { return nil }
        let number = state.withLock { state in
            state.challenges += 1
            return state.challenges
        }
        return ["challenge": .string("challenge \(number)")]
    }

    func owns(_ client: ClientContext) -> Bool { client.user == Self.lisa }

    package func factors(for login: PendingLogin) -> LoginFactors? {
        login.proof == "right" ? LoginFactors(passkey: true, authenticatorApp: true, recoveryCodes: false) : nil
    }

    package func passkeyRequest(for login: PendingLogin?, _ client: ClientContext) -> Value? { request() }

    package func user(
        withPasskey response: String,
        challenge: String,
        for login: PendingLogin?,
        _ client: ClientContext
    ) throws -> User? {
        add("passkey of \(login?.user.username ?? "anyone")")
        if response == "outage" { throw Outage() }
        return response == challenge ? Self.lisa : nil
    }

    package func user(withCode code: String, for login: PendingLogin, _ client: ClientContext) throws -> User? {
        add("code of \(login.user.username)")
        if code == "outage" { throw Outage() }
        return code == "123456" ? Self.lisa : nil
    }

    package func factors(of client: ClientContext) -> AccountFactors? {
        owns(client) ? AccountFactors(needsConfirmation: needsConfirmation) : nil
    }

    package func passkeyCreation(for client: ClientContext) -> Value? { request() }

    func changed(_ call: String, if isRight: Bool) -> FactorChange? {
        add(call)
        guard isRight else { return nil }
        let codes = codesLeft == 10 ? ["s3cr3t-code"] : []
        return FactorChange(factors: AccountFactors(recoveryCodes: codesLeft), recoveryCodes: codes)
    }

    package func newAuthenticatorApp(for client: ClientContext) -> NewAuthenticatorApp? { Self.app }

    package func perform(_ action: FactorAction, for client: ClientContext) -> FactorChange? {
        switch action {
        case .addPasskey(let response, let name, let challenge):
            changed("add passkey '\(name)'", if: response == challenge)
        case .addAuthenticatorApp(let secret, let code):
            changed("add app", if: secret == Self.app.secret && code == "123456")
        case .createRecoveryCodes: changed("codes", if: codesLeft > 0)
        case .removePasskey(let id): changed("remove passkey", if: id == "a")
        case .removeAuthenticatorApp: changed("remove app", if: codesLeft < 10)
        }
    }

    package func endOtherSessions(for client: ClientContext) { add("end other sessions") }
}
