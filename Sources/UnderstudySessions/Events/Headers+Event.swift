package import HTTPMessages
import UnderstudyPages

extension Headers {
    /// The first preference `return` in a header `Prefer` (RFC 7240, section 4.2); `nil` if there is no such preference, or an unknown one.
    var returnPreference: ReturnPreference? {
        guard first(.prefer) != nil else { return nil }
        for value in values(.prefer) {
            for preference in value.split(separator: UInt8(ascii: ",")) {
                let name = preference.prefix { $0 != UInt8(ascii: ";") }
                let text = String(decoding: name, as: UTF8.self).filter { $0 != " " && $0 != "\t" && $0 != "\"" }
                    .lowercased()
                if text.hasPrefix("return=") { return ReturnPreference(rawValue: String(text.dropFirst(7))) }
            }
        }
        return nil
    }

    /// The number of the last command that a client has received that continues a stream; `nil` if the request does not contain it.
    package var lastEventID: Int? {
        get throws(Problem) {
            guard let id = self[.lastEventID], !id.isEmpty else { return nil }
            guard let sequence = UInt32(id), id.utf8.first != UInt8(ascii: "+") else {
                throw Problem(
                    .invalidParameter,
                    "The Last-Event-ID is the number of the last command that has arrived."
                )
            }
            return Int(sequence)
        }
    }

    /// The user for whom the client has read the page, percent-encoded.
    var sessionUser: String? { self[.sessionUser] }

    var idempotencyKey: String? {
        get throws(Problem) {
            let key = withFirst(.idempotencyKey) { key -> String? in
                let isValid = (1...255).contains(key.count) && key.allSatisfy { (0x20...0x7E).contains($0) }
                return isValid ? String(decoding: key, as: UTF8.self) : nil
            }
            if case .some(nil) = key {
                throw Problem(.invalidParameter, "An Idempotency-Key is 1 to 255 printable ASCII characters.")
            }
            return key ?? nil
        }
    }
}

extension HeaderName {
    fileprivate static var prefer: HeaderName { HeaderName(constant: "Prefer", lowercase: "prefer") }
}
