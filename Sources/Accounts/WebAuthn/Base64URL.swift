import BusinessLogic
import FoundationEssentials

extension [UInt8] {
    /// The bytes in base64url without padding (RFC 4648 section 5).
    package var base64URL: String {
        Data(self).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }

    /// The bytes that a text in base64url without padding means; `nil` if it is something else.
    package init?(base64URL text: String) {
        guard text.utf8.allSatisfy({ $0.isASCIIAlphanumeric || "-_".utf8.contains($0) }) else { return nil }
        let digits = text.replacing("-", with: "+").replacing("_", with: "/")
        let padding = String(repeating: "=", count: (4 - digits.utf8.count % 4) % 4)
        guard let data = Data(base64Encoded: digits + padding) else { return nil }
        self.init(data)
        // Another text with the same bytes is not accepted.
        guard base64URL == text else { return nil }
    }
}

/// Bytes that are a text in base64url in JSON.
@propertyWrapper public struct Base64URLCoded: Codable, Equatable, Sendable {
    /// The bytes.
    public var wrappedValue: [UInt8]

    /// Wraps bytes.
    public init(wrappedValue: [UInt8]) {
        self.wrappedValue = wrappedValue
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let bytes = [UInt8](base64URL: try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "not base64url")
        }
        wrappedValue = bytes
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(wrappedValue.base64URL)
    }
}
