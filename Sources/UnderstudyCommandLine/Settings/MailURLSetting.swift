import AccountsMail
import ArgumentParser
import FoundationEssentials

/// The URL of a mail server.
struct MailURLSetting: ExpressibleByArgument, SecretArgument {
    let text: String

    init(argument: String) { text = argument }

    /// The URL without a password.
    var shown: String {
        guard let start = text.utf8.firstRange(of: "://".utf8)?.upperBound, let at = text[start...].lastIndex(of: "@"),
            let colon = text[start..<at].firstIndex(of: ":")
        else { return text }
        return text[..<colon] + ":…" + text[at...]
    }
}

/// The sender of mails.
struct MailFromSetting: ExpressibleByArgument, DescribedArgument, CustomStringConvertible {
    static let expectedForm = "an address such as no-reply@example.com or 'Example <no-reply@example.com>'"

    let text: String

    init?(argument: String) {
        guard (try? MailAddress(argument)) != nil else { return nil }
        text = argument
    }

    var description: String { text }
}
