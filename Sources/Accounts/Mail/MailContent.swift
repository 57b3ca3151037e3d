public import BusinessLogic

/// What an email to a user says.
public enum MailContent: Equatable, Sendable {
    /// The code with which the user can choose another password.
    case resetCode(String)
    /// The code with which the user confirms the address.
    case confirmationCode(String)
    /// A stranger has entered the address, to sign up or as their new address, although an account has it.
    case addressIsTaken
    /// The password of the account was changed.
    case passwordChanged
    /// The account has another address now.
    case addressChanged
    /// The account was deleted.
    case accountDeleted
    /// The account has another passkey, another authenticator app or other recovery codes.
    case factorAdded
    /// The account has lost a passkey, its authenticator app or its recovery codes.
    case factorRemoved
    /// Someone has logged in with a recovery code.
    case recoveryCodeUsed
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

/// Writes short mails in English: the texts of the catalog of HTMLPages, on which this target does not depend.
public struct PlainMails: MailWriting {
    /// Creates a writer.
    public init() {}

    public func mail(
        _ content: MailContent,
        to recipient: String,
        language: String?,
        expires: Timestamp?
    ) -> Mail {
        Mail(recipient: recipient, subject: content.subject, text: content.text, expires: expires)
    }
}

extension MailContent {
    /// The code, if the mail contains one.
    public var code: String? {
        switch self {
        case .resetCode(let code), .confirmationCode(let code): code
        case .addressIsTaken, .passwordChanged, .addressChanged, .accountDeleted, .factorAdded, .factorRemoved,
            .recoveryCodeUsed:
            nil
        }
    }

    /// The key of the texts in a catalog.
    public var name: String {
        switch self {
        case .resetCode: "resetCode"
        case .confirmationCode: "confirmationCode"
        case .addressIsTaken: "addressIsTaken"
        case .passwordChanged: "passwordChanged"
        case .addressChanged: "addressChanged"
        case .accountDeleted: "accountDeleted"
        case .factorAdded: "factorAdded"
        case .factorRemoved: "factorRemoved"
        case .recoveryCodeUsed: "recoveryCodeUsed"
        }
    }

    /// The subject in English.
    public var subject: String {
        switch self {
        case .resetCode(let code): "\(code) is your code for a new password"
        case .confirmationCode(let code): "\(code) is your confirmation code"
        case .addressIsTaken: "You already have an account"
        case .passwordChanged: "Your password was changed"
        case .addressChanged: "Your email address was changed"
        case .accountDeleted: "Your account was deleted"
        case .factorAdded: "There is a new way to log in to your account"
        case .factorRemoved: "A way to log in to your account was removed"
        case .recoveryCodeUsed: "A recovery code of your account was used"
        }
    }

    /// The text in English.
    public var text: String {
        switch self {
        case .resetCode(let code):
            """
            Your code to choose a new password is \(code).

            Enter it in the window in which you asked for it, within ten minutes. Give it to no one.

            If you have not asked for it, ignore this mail: nothing changes without the code.

            """
        case .confirmationCode(let code):
            """
            Your code to confirm this address is \(code).

            Enter it in the window in which you asked for it, within ten minutes.

            If you have not asked for it, ignore this mail.

            """
        case .addressIsTaken:
            """
            Someone, perhaps you, has just entered this address to sign up, or as the new address of an account.

            You already have an account with it. If you have forgotten your password, choose a new one on the login page.

            """
        case .passwordChanged:
            """
            The password of your account was changed, and you are logged out on all devices.

            If it was not you, choose a new password on the login page at once.

            """
        case .addressChanged:
            """
            Your account has another email address now, and gets its mails there.

            If it was not you, contact us.

            """
        case .accountDeleted:
            """
            Your account and its data were deleted.

            If it was not you, contact us.

            """
        case .factorAdded:
            """
            A passkey, an authenticator app or recovery codes were added to your account.

            If it was not you, choose a new password on the login page at once, and remove what you do not know.

            """
        case .factorRemoved:
            """
            A passkey, an authenticator app or recovery codes were removed from your account.

            If it was not you, choose a new password on the login page at once.

            """
        case .recoveryCodeUsed:
            """
            Someone has logged in to your account with one of your recovery codes. It works no more.

            If it was not you, choose a new password on the login page at once, and create new recovery codes.

            """
        }
    }
}
