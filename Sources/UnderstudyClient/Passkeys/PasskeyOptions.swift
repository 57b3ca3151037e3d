public import BusinessLogic
public import Foundation

/// With what an app asks for a passkey: the value of the output `passkeyRequest`.
public struct PasskeyRequestOptions: Equatable, Sendable {
    /// The domain of the site.
    public let relyingParty: String
    /// What the passkey signs.
    public let challenge: Data
    /// The IDs of the passkeys that may be used; empty for any of the site.
    public let allowed: [Data]
    /// Whether the device must verify the person.
    public let requiresUserVerification: Bool

    /// Reads options.
    ///
    /// - Parameter value: the value of the output; `null` if there can be no passkeys.
    /// - Returns: `nil` if it contains no options.
    public init?(_ value: Value) {
        guard let relyingParty = value["rpId"]?.string, let challenge = Data(base64URL: value["challenge"]?.string),
            let allowed = [Data](descriptors: value["allowCredentials"])
        else { return nil }
        self.relyingParty = relyingParty
        self.challenge = challenge
        self.allowed = allowed
        requiresUserVerification = value["userVerification"] == "required"
    }
}

/// With what an app creates a passkey: the value of the output `passkeyCreation`.
public struct PasskeyCreationOptions: Equatable, Sendable {
    /// The domain of the site.
    public let relyingParty: String
    /// What the response contains.
    public let challenge: Data
    /// What the passkey returns at a login.
    public let user: Data
    /// The name by which the person distinguishes their accounts.
    public let userName: String
    /// The IDs of the account's passkeys, of which a device must have none.
    public let excluded: [Data]

    /// Reads options.
    ///
    /// - Parameter value: the value of the output.
    /// - Returns: `nil` if it contains no options.
    public init?(_ value: Value) {
        guard let relyingParty = value["rp"]?["id"]?.string,
            let challenge = Data(base64URL: value["challenge"]?.string),
            let user = Data(base64URL: value["user"]?["id"]?.string), let userName = value["user"]?["name"]?.string,
            let excluded = [Data](descriptors: value["excludeCredentials"])
        else { return nil }
        self.relyingParty = relyingParty
        self.challenge = challenge
        self.user = user
        self.userName = userName
        self.excluded = excluded
    }
}

extension [Data] {
    /// `nil` if a value is not the ID of a passkey. Without a value, there are no IDs.
    fileprivate init?(descriptors: Value?) {
        let ids = (descriptors?.array ?? []).map { Data(base64URL: $0["id"]?.string) }
        guard !ids.contains(nil) else { return nil }
        self = ids.compactMap { $0 }
    }
}

extension Data {
    /// The bytes that a text in base64url without padding means (RFC 4648 section 5); `nil` if it is something else.
    init?(base64URL text: String?) {
        guard let text, !text.contains(where: { "+/=".contains($0) }) else { return nil }
        let digits = text.replacingOccurrences(of: "-", with: "+").replacingOccurrences(of: "_", with: "/")
        self.init(base64Encoded: digits + String(repeating: "=", count: (4 - digits.utf8.count % 4) % 4))
    }

    var base64URL: String {
        base64EncodedString().replacingOccurrences(of: "+", with: "-").replacingOccurrences(of: "/", with: "_")
            .replacingOccurrences(of: "=", with: "")
    }
}
