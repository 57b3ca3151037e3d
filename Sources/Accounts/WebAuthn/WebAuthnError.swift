/// Why a response of a client is rejected.
///
/// Each case is a step of WebAuthn section 7.1 (registration) or 7.2 (authentication).
public enum WebAuthnError: Error, Equatable, Sendable {
    /// The response is not as section 5.1.8 describes it, or too long.
    case malformedResponse
    /// The response is of the other ceremony, or of something else than WebAuthn.
    case wrongType
    /// The response belongs to another challenge.
    case wrongChallenge
    /// The page of another site has asked for the response.
    case wrongOrigin
    /// The page was in a frame of another site.
    case wrongTopOrigin
    /// The authenticator data are not as section 6.1 describes them.
    case malformedAuthenticatorData
    /// The passkey is of another relying party.
    case wrongRelyingParty
    /// The authenticator has not noticed a person.
    case userNotPresent
    /// The authenticator has not verified the person, although that is required.
    case userNotVerified
    /// The passkey is on several devices, although it cannot be.
    case invalidBackupState
    /// The passkey signs in a way that is not accepted.
    case unsupportedAlgorithm
    /// The ID of the passkey is empty, has more than 1,023 bytes, or is not that of the response.
    case invalidCredentialID
    /// The response names another account than the one of the passkey.
    case wrongUser
    /// The passkey can be on several devices now, or cannot be any more.
    case changedBackupEligibility
    /// The signature is not that of the passkey.
    case wrongSignature
}
