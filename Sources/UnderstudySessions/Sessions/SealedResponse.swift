import CSodium
import FoundationEssentials

/// A login's response that only the client that sent the login can read: reading it needs a token of the client, the
/// idempotency key and the whole body, which contains the password.
///
/// Encrypted with XSalsa20-Poly1305 (libsodium's `crypto_secretbox`). The encryption key is derived from the token, which the
/// server does not store.
package struct SealedResponse: Codable, Equatable, Sendable {
    package struct Content: Codable, Equatable, Sendable {
        package let status: Int
        /// Pairs of name and value.
        package let headers: [[String]]
        package let body: [UInt8]
        /// The session whose token the response contains; `nil` for a token that the client knows.
        package var session: [UInt8]?
    }

    package enum Mismatch: Error {
        case otherKey
        /// The idempotency key is the same.
        case otherRequest
    }

    private struct Sealed: Codable {
        let idempotencyKey: String
        /// A keyed hash of the page and the body.
        let request: [UInt8]
        let content: Content
    }

    private let nonce: [UInt8]
    private let box: [UInt8]

    package var size: Int { box.count + nonce.count + 256 }

    /// Encrypts a response. Returns `nil` if encryption fails.
    ///
    /// - Parameters:
    ///   - token: the client's token: the one that the login has replaced, or the new one.
    ///   - request: the page and the body.
    package init?(_ content: Content, token: SessionToken, key: String, request: [UInt8]) {
        let sealed = Sealed(idempotencyKey: key, request: token.hash(request, for: .request), content: content)
        guard let message = try? Array(JSONEncoder().encode(sealed)) else { return nil }
        nonce = (0..<crypto_secretbox_noncebytes()).map { _ in UInt8.random(in: .min ... .max) }
        var box = [UInt8](repeating: 0, count: message.count + crypto_secretbox_macbytes())
        guard crypto_secretbox_easy(&box, message, UInt64(message.count), nonce, token.hash([], for: .response)) == 0
        else { return nil }
        self.box = box
    }

    package func open(token: SessionToken, key: String, request: [UInt8]) throws(Mismatch) -> Content {
        // A database may be damaged.
        let length = box.count - crypto_secretbox_macbytes()
        guard length >= 0, nonce.count == crypto_secretbox_noncebytes() else { throw .otherKey }
        var message = [UInt8](repeating: 0, count: length)
        let secret = token.hash([], for: .response)
        guard crypto_secretbox_open_easy(&message, box, UInt64(box.count), nonce, secret) == 0,
            let sealed = try? JSONDecoder().decode(Sealed.self, from: Data(message)), sealed.idempotencyKey == key
        else { throw .otherKey }
        let request = token.hash(request, for: .request)
        guard request.count == sealed.request.count,
            sodium_memcmp(request, sealed.request, request.count) == 0
        else { throw .otherRequest }
        return sealed.content
    }
}

extension SessionToken {
    /// The purpose of a keyed hash. Hashes for different purposes differ.
    fileprivate enum Purpose: UInt8 {
        case request = 1
        case response = 2
    }

    fileprivate func hash(_ bytes: [UInt8], for purpose: Purpose) -> [UInt8] {
        ([purpose.rawValue] + bytes).hashed(crypto_secretbox_keybytes(), key: Array(text.utf8))
    }
}

extension SealedResponse {
    /// `nil` if the response cannot be encoded.
    package var json: [UInt8]? { (try? JSONEncoder().encode(self)).map(Array.init) }

    package init?(json: [UInt8]) {
        guard let response = try? JSONDecoder().decode(Self.self, from: Data(json)) else { return nil }
        self = response
    }
}
