internal import FoundationEssentials

extension [UInt8] {
    /// The bytes in base64url without padding (RFC 4648 section 5).
    package var base64URL: String {
        Data(self).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }

    /// The bytes that a text in base64url without padding means; `nil` if it is something else.
    package init?(base64URL text: String) {
        guard text.utf8.allSatisfy(\.isBase64URLDigit) else { return nil }
        let digits = text.replacing("-", with: "+").replacing("_", with: "/")
        let padding = String(repeating: "=", count: (4 - digits.utf8.count % 4) % 4)
        guard let data = Data(base64Encoded: digits + padding) else { return nil }
        self.init(data)
        // Another text with the same bytes is not accepted.
        guard base64URL == text else { return nil }
    }
}

extension UInt8 {
    fileprivate var isBase64URLDigit: Bool {
        switch self {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
            true
        default: false
        }
    }
}
