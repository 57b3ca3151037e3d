import CFido2

/// Reads passkeys and checks signatures with libfido2, which reads the CBOR and the keys of authenticators.
enum Fido2 {
    /// libfido2's functions may be called from any thread after this.
    private static let isReady: Void = fido_init(0)

    /// The passkey in authenticator data. Throws ``WebAuthnError/unsupportedAlgorithm`` also if the data are damaged behind the ID.
    static func passkey(in data: [UInt8]) throws(WebAuthnError) -> (Passkey.Algorithm, id: [UInt8], publicKey: [UInt8])
    {
        isReady
        for algorithm in Passkey.Algorithm.allCases {
            var created = fido_cred_new()
            defer { fido_cred_free(&created) }
            // Only data with a key of that algorithm can be set.
            guard let created, fido_cred_set_type(created, Int32(algorithm.rawValue)) == FIDO_OK,
                fido_cred_set_authdata_raw(created, data, data.count) == FIDO_OK
            else { continue }
            let id = bytes(fido_cred_id_ptr(created), fido_cred_id_len(created))
            let publicKey = bytes(fido_cred_pubkey_ptr(created), fido_cred_pubkey_len(created))
            return (algorithm, id, publicKey)
        }
        throw .unsupportedAlgorithm
    }

    /// Whether a passkey has signed authenticator data and the hash of client data.
    static func isSigned(
        _ data: [UInt8],
        _ clientData: [UInt8],
        _ signature: [UInt8],
        by passkey: Passkey,
        of relyingParty: String
    ) -> Bool {
        isReady
        var assertion = fido_assert_new()
        defer { fido_assert_free(&assertion) }
        guard let assertion, fido_assert_set_clientdata(assertion, clientData, clientData.count) == FIDO_OK,
            fido_assert_set_rp(assertion, relyingParty) == FIDO_OK, fido_assert_set_count(assertion, 1) == FIDO_OK,
            fido_assert_set_authdata_raw(assertion, 0, data, data.count) == FIDO_OK,
            fido_assert_set_sig(assertion, 0, signature, signature.count) == FIDO_OK
        else { return false }
        return withKey(of: passkey) { key in
            fido_assert_verify(assertion, 0, Int32(passkey.algorithm.rawValue), UnsafeRawPointer(key)) == FIDO_OK
        }
    }

    private static func withKey(of passkey: Passkey, _ body: (OpaquePointer) -> Bool) -> Bool {
        func with(
            _ new: () -> OpaquePointer?,
            _ free: (UnsafeMutablePointer<OpaquePointer?>?) -> Void,
            _ read: (OpaquePointer?, UnsafeRawPointer?, Int) -> Int32
        ) -> Bool {
            var key = new()
            defer { free(&key) }
            guard let key, read(key, passkey.publicKey, passkey.publicKey.count) == FIDO_OK else { return false }
            return body(key)
        }
        return switch passkey.algorithm {
        case .edDSA: with(eddsa_pk_new, eddsa_pk_free, eddsa_pk_from_ptr)
        case .es256: with(es256_pk_new, es256_pk_free, es256_pk_from_ptr)
        case .es384: with(es384_pk_new, es384_pk_free, es384_pk_from_ptr)
        case .rs256: with(rs256_pk_new, rs256_pk_free, rs256_pk_from_ptr)
        }
    }

    private static func bytes(_ start: UnsafePointer<UInt8>?, _ count: Int) -> [UInt8] {
        Array(UnsafeBufferPointer(start: start, count: start == nil ? 0 : count))
    }
}
