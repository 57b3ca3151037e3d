import ArgumentParser
import FoundationEssentials

/// Another system whose users can be imported.
enum ImportSource: String, CaseIterable, ExpressibleByArgument {
    case keycloak, auth0, pocketbase, devise

    /// Converts what the other system has written about a user to the members of an import.
    ///
    /// - Parameter user: the values by the names of their members. Those that are not texts are JSON.
    /// - Returns: values without a `passwordHash` if the user has no password.
    /// - Throws: ``CommandError`` if the password or a member cannot be used.
    func members(_ user: [String: String]) throws(CommandError) -> [String: String] {
        var members: [String: String] = [:]
        members["email"] = user["email"]
        switch self {
        case .keycloak:
            members["username"] = user["username"]
            members["name"] = Self.joined(user["firstName"], user["lastName"])
            members["emailConfirmed"] = user["emailVerified"]
            members["disabled"] = user["enabled"] == "false" ? "true" : nil
            members["passwordHash"] = try KeycloakCredential.passwordHash(user["credentials"])
        case .auth0:
            let identifier = try Auth0Identifier.email(user["identifiers"])
            members["email"] = user["email"] ?? identifier?.value
            members["name"] = user["name"]
            members["emailConfirmed"] =
                user["email_verified"] ?? identifier.map { $0.verified == true ? "true" : "false" }
            members["disabled"] = user["blocked"]
            members["passwordHash"] = user["passwordHash"]
        case .pocketbase:
            members["name"] = user["name"]
            members["emailConfirmed"] = ["1", "true"].contains(user["verified"]) ? "true" : "false"
            // The name before and since version 0.23.
            members["passwordHash"] = user["password"] ?? user["passwordHash"]
        case .devise:
            members["name"] = user["name"] ?? Self.joined(user["first_name"], user["last_name"])
            members["emailConfirmed"] = user["confirmed_at"] == nil ? "false" : "true"
            members["passwordHash"] = user["encrypted_password"]
        }
        return members
    }

    private static func joined(_ names: String?...) -> String? {
        let names = names.compactMap(\.self)
        return names.isEmpty ? nil : names.joined(separator: " ")
    }
}

/// Decodes a member that another system has written as JSON.
private func decode<Member: Decodable>(_ json: String, _ name: String) throws(CommandError) -> Member {
    do {
        return try JSONDecoder().decode(Member.self, from: Data(json.utf8))
    } catch {
        throw CommandError("'\(name)' is not as expected")
    }
}

/// One of the identifiers of a user of Auth0.
private struct Auth0Identifier: Decodable {
    let type: String
    let value: String?
    let verified: Bool?

    /// The first email address of a user.
    static func email(_ identifiers: String?) throws(CommandError) -> Auth0Identifier? {
        guard let identifiers else { return nil }
        let all: [Auth0Identifier] = try decode(identifiers, "identifiers")
        return all.first { $0.type == "email" && $0.value != nil }
    }
}

/// A credential of a user of Keycloak. It contains other JSON as text.
private struct KeycloakCredential: Decodable {
    let type: String
    let secretData: String?
    let credentialData: String?

    private struct Secret: Decodable {
        let value: String
        let salt: String
    }

    private struct Parameters: Decodable {
        let algorithm: String
        let hashIterations: Int
        let additionalParameters: [String: [String]]?
    }

    /// The hash of a user's password in the form of an import; `nil` if the user has no password.
    static func passwordHash(_ credentials: String?) throws(CommandError) -> String? {
        guard let credentials else { return nil }
        let all: [KeycloakCredential] = try decode(credentials, "credentials")
        return try all.first { $0.type == "password" }?.passwordHash()
    }

    private func passwordHash() throws(CommandError) -> String {
        guard let secretData, let credentialData else {
            throw CommandError("the password has no hash: export the users with 'kc.sh export'")
        }
        let secret: Secret = try decode(secretData, "secretData")
        let parameters: Parameters = try decode(credentialData, "credentialData")
        let (salt, hash) = (Self.withoutPadding(secret.salt), Self.withoutPadding(secret.value))
        switch parameters.algorithm {
        case "pbkdf2", "pbkdf2-sha256", "pbkdf2-sha512":
            return "$\(parameters.algorithm)$\(parameters.hashIterations)$\(salt)$\(hash)"
        case "argon2":
            func parameter(_ name: String) -> String { parameters.additionalParameters?[name]?.first ?? "" }
            guard parameter("version") == "1.3" else {
                throw CommandError("the password has the version '\(parameter("version"))' of Argon2; expected 1.3")
            }
            let cost = "m=\(parameter("memory")),t=\(parameters.hashIterations),p=\(parameter("parallelism"))"
            return "$argon2\(parameter("type"))$v=19$\(cost)$\(salt)$\(hash)"
        case let other:
            throw CommandError(
                "the password is hashed with '\(other)'; expected argon2, pbkdf2, pbkdf2-sha256 or pbkdf2-sha512"
            )
        }
    }

    private static func withoutPadding(_ base64: String) -> Substring {
        base64.prefix { $0 != "=" }
    }
}
