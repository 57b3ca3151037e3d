/// As a JSON object, with the ID and the public key in base64url.
extension Passkey: Codable {
    private enum CodingKeys: CodingKey {
        case id, algorithm, publicKey, isBackupEligible, counter, isBackedUp
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        func bytes(_ key: CodingKeys) throws -> [UInt8] {
            guard let bytes = [UInt8](base64URL: try container.decode(String.self, forKey: key)) else {
                throw DecodingError.dataCorruptedError(forKey: key, in: container, debugDescription: "not base64url")
            }
            return bytes
        }
        self.init(
            id: try bytes(.id),
            algorithm: try container.decode(Algorithm.self, forKey: .algorithm),
            publicKey: try bytes(.publicKey),
            isBackupEligible: try container.decode(Bool.self, forKey: .isBackupEligible),
            counter: try container.decode(UInt32.self, forKey: .counter),
            isBackedUp: try container.decode(Bool.self, forKey: .isBackedUp)
        )
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(id.base64URL, forKey: .id)
        try container.encode(algorithm, forKey: .algorithm)
        try container.encode(publicKey.base64URL, forKey: .publicKey)
        try container.encode(isBackupEligible, forKey: .isBackupEligible)
        try container.encode(counter, forKey: .counter)
        try container.encode(isBackedUp, forKey: .isBackedUp)
    }
}
