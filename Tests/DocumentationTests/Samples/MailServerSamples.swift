import Accounts
import BusinessLogic
import Testing
import UnderstudyTesting

/// The sample of the documentation of MailServer.
@Suite struct MailServerSamples {
    @Test func `a mail server is parsed from a URL`() throws {
        let clock = ManualClock()
        let server = try MailServer(url: "smtps://shop:s3cret@mail.example.org")
        let sender = try MailAddress("The shop <no-reply@shop.example>")
        let mailer = server.mailer(from: sender, clock: clock)
        withExtendedLifetime(mailer) {}
        #expect(server.description == "smtps://…@mail.example.org:465")
    }
}
