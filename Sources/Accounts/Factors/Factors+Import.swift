extension Factors {
    /// Whether logins can be completed with all of these factors: those of an import may be damaged.
    package var areUsable: Bool {
        let ids = Set(passkeys.map(\.passkey.id))
        return areDamaged != true && ids.count == passkeys.count && passkeys.count <= Self.maximumPasskeys
            && passkeys.allSatisfy {
                (1...1023).contains($0.passkey.id.count) && $0.name.unicodeScalars.count <= AccountPasskey.maximumName
            }
            && authenticatorApp.map { [UInt8](base64URL: $0.secret).map { $0.count >= 16 } ?? false } ?? true
            && Set(recoveryCodes.map(\.prefix)).count == recoveryCodes.count
            && recoveryCodes.count <= RecoveryCodes.count && (!isEmpty || recoveryCodes.isEmpty)
            && recoveryCodes.allSatisfy { code in
                code.prefix.count == RecoveryCodes.prefixLength && (try? PasswordHash(code.hash))?.cost != nil
            }
    }
}
