@testable import Accounts

extension Mail {
    /// A mail to `lisa@rules.example`, unless given.
    static func sample(
        id: String? = nil,
        to recipient: String = "lisa@rules.example",
        subject: String = "Your code",
        text: String = "12345678\n",
        html: String? = nil
    ) -> Mail {
        Mail(id: id, recipient: recipient, subject: subject, text: text, html: html)
    }
}

extension MailServer {
    /// A mailer of `Understudy <no-reply@shop.example>`, unless given, at the start of clocks for tests.
    func mailer(from sender: String = "Understudy <no-reply@shop.example>") throws -> any Mailer {
        mailer(from: try MailAddress(sender), clock: ManualClock())
    }

    /// The same with a shorter timeout.
    func within(_ timeout: Duration) -> MailServer {
        var server = self
        server.timeout = timeout
        return server
    }
}

extension SMTPTestServer {
    /// A server, and a mailer that connects to it.
    static func withMailer() async throws -> (server: SMTPTestServer, mailer: any Mailer) {
        let server = try await SMTPTestServer()
        return (server, try server.settings().mailer())
    }

    /// How a client connects to the server.
    func settings(
        _ security: MailServer.Security = .none,
        host: String? = nil,
        credentials: MailServer.Credentials? = nil,
        trusting certificate: TestCertificate? = nil
    ) -> MailServer {
        MailServer(
            host: host ?? self.host,
            port: port,
            security: security,
            credentials: credentials,
            authorities: certificate?.certificatePath
        )
    }
}

/// Returns the error of a mail that cannot be sent; `nil` if it has been sent.
func failure(_ mail: Mail, _ mailer: any Mailer) async -> MailError? {
    do throws(MailError) {
        try await mailer.send(mail)
        return nil
    } catch {
        return error
    }
}
