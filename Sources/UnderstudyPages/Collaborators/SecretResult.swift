/// A result of a collaborator that contains a secret, which recordings leave out.
///
/// Show the secret in outputs that are secret as well (``/BusinessLogic/Output/init(_:isSecret:description:)``), so that a replay gives the same commands.
public protocol SecretResult: Codable, Sendable {
    /// The result with empty texts in place of the secret ones.
    var withoutSecrets: Self { get }
}
