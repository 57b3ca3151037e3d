public import BusinessLogic

/// What an email to a user says.
public struct MailContent: Equatable, Sendable {
    /// The subject.
    public let subject: Message
    /// The text. Its paragraphs are separated by empty lines.
    public let text: Message
    /// The code, if the mail contains one.
    public let code: String?
    /// The page that the mail links to: with a code, that on which the user enters it. `nil` without a link.
    public let page: String?

    /// A mail of yours.
    ///
    /// - Parameters:
    ///   - subject: the subject, whose code is its key in a catalog.
    ///   - text: the text, the same. Its paragraphs are separated by empty lines.
    ///   - page: the name of the page that it links to; `nil` without a link.
    public init(subject: Message, text: Message, page: String? = nil) {
        (self.subject, self.text, self.page, code) = (subject, text, page, nil)
    }

    /// A mail about an account, whose texts are in the bundled catalog.
    private init(_ name: String, code: String? = nil, page: String? = nil) {
        subject = .notice(code: "mail.\(name).subject", text: "")
        text = .notice(code: "mail.\(name).text", text: "")
        (self.code, self.page) = (code, page)
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
    /// The account has an agent, which acts in place of its user.
    public static let agentAdded = MailContent("agentAdded")
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

/// Writes mails in the language of the user, as text only: for tests.
public struct PlainMails: MailWriting {
    private let translate: @Sendable (Message, String) -> String?

    /// Creates a writer.
    ///
    /// - Parameter translate: returns a message in a language, if it has a translation; `Translations.text(of:in:)` is one.
    public init(_ translate: @escaping @Sendable (_ message: Message, _ language: String) -> String? = { _, _ in nil })
    {
        self.translate = translate
    }

    /// The mail with that content.
    public func mail(_ content: MailContent, to recipient: String, language: String?, expires: Timestamp?) -> Mail {
        func text(_ message: Message) -> String { language.flatMap { translate(message, $0) } ?? message.text }
        return Mail(
            recipient: recipient,
            subject: text(content.subject),
            text: text(content.text) + "\n",
            expires: expires
        )
    }
}
