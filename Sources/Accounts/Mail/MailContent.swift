public import BusinessLogic

/// What an email to a user says.
public struct MailContent: Equatable, Sendable {
    /// The key of the texts in a catalog.
    public let name: String
    /// The code, if the mail contains one.
    public let code: String?
    /// The page on which the user enters the code; `nil` without a code.
    public let page: String?

    private init(_ name: String, code: String? = nil, page: String? = nil) {
        self.name = name
        self.code = code
        self.page = page
    }

    /// The code with which the user can choose another password.
    public static func resetCode(_ code: String) -> MailContent { MailContent("resetCode", code: code, page: "reset") }

    /// The code with which the user confirms the address.
    public static func confirmationCode(_ code: String) -> MailContent {
        MailContent("confirmationCode", code: code, page: "verify")
    }

    /// A stranger has entered the address, to sign up or as their new address, although an account has it.
    public static let addressIsTaken = MailContent("addressIsTaken")
    /// The password of the account was changed.
    public static let passwordChanged = MailContent("passwordChanged")
    /// The account has another address now.
    public static let addressChanged = MailContent("addressChanged")
    /// The account was deleted.
    public static let accountDeleted = MailContent("accountDeleted")
    /// The account has another passkey, another authenticator app or other recovery codes.
    public static let factorAdded = MailContent("factorAdded")
    /// The account has lost a passkey, its authenticator app or its recovery codes.
    public static let factorRemoved = MailContent("factorRemoved")
    /// Someone has logged in with a recovery code.
    public static let recoveryCodeUsed = MailContent("recoveryCodeUsed")
}

/// Writes the emails to users.
public protocol MailWriting: Sendable {
    /// The mail with that content.
    ///
    /// - Parameters:
    ///   - content: what it says.
    ///   - recipient: the address.
    ///   - language: the language of the user (BCP 47); `nil` if it is unknown.
    ///   - expires: when the mail loses its purpose; `nil` if it never does.
    func mail(_ content: MailContent, to recipient: String, language: String?, expires: Timestamp?) -> Mail
}
