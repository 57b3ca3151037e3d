/// How long a mailer waits for the mail server.
struct MailTimeouts: Equatable, Sendable {
    /// Until there is a connection.
    var connecting: Duration = .seconds(10)
    /// Until the mail server has accepted the mail, including the time to connect.
    ///
    /// If a server accepts a mail later, it is sent twice. RFC 5321 section 4.5.3.2 recommends ten minutes, so that this is less likely.
    var total: Duration = .seconds(120)
}
