/// The maximum lengths of an account's texts.
package enum AccountLimits {
    /// Code points of a name.
    package static let name = 256
    /// Code points of a username.
    package static let username = 254
    /// Bytes of an email address in UTF-8, as in RFC 5321.
    package static let email = 254
    /// Code points of a note.
    package static let note = 1000
    /// Code points of a password in NFC. A policy may allow fewer.
    package static let password = 1024

    /// Checks the texts of an account.
    ///
    /// - Throws: ``AccountTextTooLong``.
    package static func check(
        name: String,
        email: String,
        username: String?,
        contactEmail: String? = nil
    ) throws(AccountTextTooLong) {
        try check(.name, name.unicodeScalars.count, "characters", Self.name)
        try check(.email, email.utf8.count, "bytes", Self.email)
        // A username that is not given is the email address.
        if let username, username != email {
            try check(.username, username.unicodeScalars.count, "characters", Self.username)
        }
        if let contactEmail { try check(.contactEmail, contactEmail.utf8.count, "bytes", Self.email) }
    }

    /// Checks the texts of an account.
    ///
    /// - Throws: ``AccountTextTooLong``.
    package static func check(_ account: Account) throws(AccountTextTooLong) {
        try check(
            name: account.name,
            email: account.email,
            username: account.username,
            contactEmail: account.contactEmail
        )
        try check(note: account.note)
    }

    /// Checks a note.
    ///
    /// - Throws: ``AccountTextTooLong``.
    package static func check(note: String?) throws(AccountTextTooLong) {
        if let note { try check(.note, note.unicodeScalars.count, "characters", Self.note) }
    }

    /// Checks a password in plain text.
    ///
    /// - Throws: ``AccountTextTooLong``.
    package static func check(password: String) throws(AccountTextTooLong) {
        // NFC composes at most four code points to one.
        let isBounded = password.hasAtMost(codePoints: 4 * Self.password)
        let count = (isBounded ? password.normalized : password).unicodeScalars.count
        try check(.password, count, "characters", Self.password)
    }

    private static func check(
        _ part: AccountTextTooLong.Part,
        _ count: Int,
        _ unit: String,
        _ maximum: Int
    ) throws(AccountTextTooLong) {
        guard count <= maximum else {
            throw AccountTextTooLong(part: part, count: count, maximum: maximum, unit: unit)
        }
    }
}
