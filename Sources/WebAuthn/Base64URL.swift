internal import BusinessLogic
internal import FoundationEssentials

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
