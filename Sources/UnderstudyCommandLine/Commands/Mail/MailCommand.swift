import ArgumentParser

/// `understudy mail`.
struct MailCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        "mail",
        "List, retry and discard the mails that wait to be sent or have failed, even while a server runs.",
        """
        A server sends mails from the database. If the mail server does not accept a mail at the moment, the server tries again for 24 \
        hours, after pauses from a minute to an hour. A mail that is then not sent, or that the mail server rejects, has failed: it stays \
        for 30 days.
        """,
        subcommands: [MailListCommand.self, MailRetryCommand.self, MailDiscardCommand.self]
    )
}
