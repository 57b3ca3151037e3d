internal import CSodium
import FoundationEssentials

/// A login's response, which only the client that sent the request can read again: it needs the token that the login has
/// replaced, the idempotency key, and the whole body, which has the password in it.
///
/// Encrypted with XSalsa20-Poly1305 (libsodium's `crypto_secretbox`) under a key that is derived from the token, which the
/// server does not keep.
struct SealedResponse: Sendable {
    /// A response as it was sent.
    struct Content: Codable, Equatable, Sendable {
        let status: Int
        /// The header fields, as pairs of name and value.
        let headers: [[String]]
        let body: [UInt8]
    }

    /// Why a response cannot be had.
    enum Mismatch: Error {
        /// The key is another one.
        case otherKey
        /// The key is right, and the request is another one.
        case otherRequest
    }

    private struct Sealed: Codable {
        let idempotencyKey: String
        /// A keyed hash of what was posted, and where.
        let request: [UInt8]
        let content: Content
    }

    private let nonce: [UInt8]
    private let box: [UInt8]

    /// The bytes that it takes.
    var size: Int { box.count + nonce.count + 256 }

    /// - Parameters:
    ///   - content: the response.
    ///   - token: the token that the login has replaced.
    ///   - key: the request's idempotency key.
    ///   - request: what was posted, and where.
    /// - Returns: `nil` if it cannot be encrypted.
    init?(_ content: Content, token: SessionToken, key: String, request: [UInt8]) {
        guard let request = token.hash(request, for: .request), let secret = token.hash([], for: .response) else {
            return nil
        }
        let sealed = Sealed(idempotencyKey: key, request: request, content: content)
        guard let message = try? Array(JSONEncoder().encode(sealed)) else { return nil }
        nonce = (0..<crypto_secretbox_noncebytes()).map { _ in UInt8.random(in: .min ... .max) }
        var box = [UInt8](repeating: 0, count: message.count + crypto_secretbox_macbytes())
        guard crypto_secretbox_easy(&box, message, UInt64(message.count), nonce, secret) == 0 else { return nil }
        self.box = box
    }

    /// The response, for the request that got it.
    ///
    /// - Throws: ``Mismatch``.
    func open(token: SessionToken, key: String, request: [UInt8]) throws(Mismatch) -> Content {
        var message = [UInt8](repeating: 0, count: box.count - crypto_secretbox_macbytes())
        guard let secret = token.hash([], for: .response),
            crypto_secretbox_open_easy(&message, box, UInt64(box.count), nonce, secret) == 0,
            let sealed = try? JSONDecoder().decode(Sealed.self, from: Data(message)), sealed.idempotencyKey == key
        else { throw .otherKey }
        guard let request = token.hash(request, for: .request), request.count == sealed.request.count,
            sodium_memcmp(request, sealed.request, request.count) == 0
        else { throw .otherRequest }
        return sealed.content
    }
}

extension SessionToken {
    /// What a hash that is keyed with a token is for. Each use has hashes of its own.
    fileprivate enum Purpose: UInt8 {
        case request = 1
        case response = 2
    }

    /// A hash of 256 bits (BLAKE2b, RFC 7693) that is keyed with the token; `nil` if it cannot be computed.
    fileprivate func hash(_ bytes: [UInt8], for purpose: Purpose) -> [UInt8]? {
        let key = Array(text.utf8)
        let input = [purpose.rawValue] + bytes
        var hash = [UInt8](repeating: 0, count: crypto_secretbox_keybytes())
        let status = crypto_generichash(&hash, hash.count, input, UInt64(input.count), key, key.count)
        return status == 0 ? hash : nil
    }
}
