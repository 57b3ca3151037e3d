@testable import Accounts

@Suite(.fiveMinutes) struct SMTPMailerTests {
    static let credentials = MailServer.Credentials(user: "shop", password: "s3cret")

    /// Expects mails that other programs can read.
    func expectNoDefects(in mails: [SMTPTestServer.Record]) {
        for mail in mails {
            #expect(mail.longestLine ?? .max <= 76)
            #expect(mail.defects == [])
        }
    }

    // MARK: What arrives

    @Test func `a mail arrives with its sender, recipient and date`() async throws {
        let (server, mailer) = try await SMTPTestServer.withMailer()
        try await mailer.send(.sample())
        let mail = try #require(try await server.mails().first)
        #expect(mail.sender == "no-reply@shop.example")
        #expect(mail.recipients == ["lisa@rules.example"])
        #expect(mail.client == "shop.example")
        #expect(mail.date == 1_803_893_400)
    }

    @Test(arguments: [
        "Ihr Bestätigungscode für Käsebrot", "", "=?UTF-8?Q?not_encoded?=", " spaces at both ends ", "確認コード",
        "Überlänge ".repeated(40), "long ".repeated(50) + "end",
        "🧀".repeated(100),
        "\"quoted\" \\ <angle>", "👩‍👩‍👧‍👦 e\u{301}",
    ])
    func `another program reads the same subject and name`(_ text: String) async throws {
        let server = try await SMTPTestServer()
        try await server.settings().mailer().send(.sample(subject: text))
        let name = String(text.filter { !#""\<>"#.contains($0) }.prefix(200)).trimmingPrefix(" ").trimmingSuffix(" ")
        if !name.isEmpty { try await server.settings().mailer(from: "\(name) <a@shop.example>").send(.sample()) }
        let mails = try await server.mails()
        #expect(mails.first?.head?["Subject"] == text)
        if !name.isEmpty { #expect(mails.last?.displayName == String(name)) }
        expectNoDefects(in: mails)
    }

    @Test(arguments: [
        "Grüße aus Köln\n", ".\n..\n.a line that begins with a dot\n", "long ".repeated(100) + "\n",
        "ü".repeated(300) + "\n", "a=b=\n=3D\n", "a space at the end \nand a tab\t\n", "\n\n\n",
        "From me\n>From you\n",
        "tab\tand \u{1B}[31mcolour\n", "確認コード\n🧀\n", "--=_alternative\n--=_alternative--\n",
        "x".repeated(75) + ".\n.\n",
    ])
    func `another program reads the same text and HTML`(_ text: String) async throws {
        let (server, mailer) = try await SMTPTestServer.withMailer()
        let html = "<!DOCTYPE html>\n<p title=\"=\">\(text)</p>\n"
        try await mailer.send(.sample(text: text))
        try await mailer.send(.sample(text: text, html: html))
        let mails = try await server.mails()
        #expect(mails.map(\.text) == [text, text])
        #expect(mails.map(\.html) == [nil, html])
        #expect(mails.map(\.type) == ["text/plain", "multipart/alternative"])
        expectNoDefects(in: mails)
    }

    @Test func `lines may end with CRLF, and the last line need not end`() async throws {
        let (server, mailer) = try await SMTPTestServer.withMailer()
        try await mailer.send(.sample(text: "a\r\nb"))
        try await mailer.send(.sample(text: "", html: ""))
        #expect(try await server.mails().map(\.text) == ["a\nb\n", ""])
    }

    @Test func `several mails are sent at the same time`() async throws {
        let (server, mailer) = try await SMTPTestServer.withMailer()
        try await concurrently(20) { try await mailer.send(.sample(id: "\($0)")) }
        let mails = try await server.mails()
        #expect(Set(mails.compactMap { $0.head?["Message-ID"] }) == Set((0..<20).map { "<\($0)@shop.example>" }))
    }

    // MARK: Protection

    @Test func `a mail is encrypted, and the user is authenticated, also as a URL and a file with authorities say`()
        async throws
    {
        let certificate = try await TestCertificate()
        let user = ("shöp@x", "pä: s/s%")
        let early = try await SMTPTestServer(.startTLS, certificate: certificate, user: user)
        let credentials = MailServer.Credentials(user: user.0, password: user.1)
        let late = try await SMTPTestServer(.immediate, certificate: certificate, user: user)
        let url = "smtps://sh%C3%B6p%40x:p%C3%A4%3A%20s%2Fs%25@localhost:\(late.port)"
        for (server, settings) in [
            (early, early.settings(.startTLS, credentials: credentials, trusting: certificate)),
            (late, try MailServer(url: url, authorities: certificate.certificatePath)),
        ] {
            try await settings.mailer().send(.sample())
            let mail = try #require(try await server.mails().first)
            #expect(mail.isEncrypted == true)
            #expect(mail.user == "shöp@x")
        }
    }

    @Test func `a wrong password is a temporary failure, which an operator can repair`() async throws {
        let server = try await SMTPTestServer(user: ("shop", "s3cret"))
        let wrong = MailServer.Credentials(user: "shop", password: "wr0ng")
        let error = await failure(.sample(), try server.settings(credentials: wrong).mailer())
        #expect(error == .temporary("the mail server rejects the user or the password: 535 5.7.8"))
        let none = await failure(.sample(), try server.settings().mailer())
        #expect(none == .temporary("the mail server rejects the mail: 530 5.7.0 Authentication required"))
        #expect(try await server.mails().isEmpty)
    }

    @Test(arguments: [(SMTPTestServer.Protection.startTLS, MailServer.Security.startTLS), (.immediate, .tls)])
    func `a certificate of an unknown authority or for another name is refused before anything is sent`(
        _ protection: SMTPTestServer.Protection,
        _ security: MailServer.Security
    ) async throws {
        let (certificate, other) = (try await TestCertificate(), try await TestCertificate())
        for (host, trusted, expected) in [
            ("127.0.0.1", nil, "self-signed certificate"), ("127.0.0.1", other, "certificate"),
            ("127.0.0.2", certificate, "target host name '127.0.0.2'"),
        ] {
            let user = ("shop", "s3cret")
            let server = try await SMTPTestServer(protection, host: host, certificate: certificate, user: user)
            let settings = server.settings(security, credentials: Self.credentials, trusting: trusted)
            let error = await failure(.sample(), try settings.mailer())
            #expect(error?.isTemporary == true && error?.reason.contains(expected) == true)
            #expect(try await server.records().isEmpty)
        }
    }

    @Test func `without STARTTLS, no password and no mail is sent to another machine`() async throws {
        let server = try await SMTPTestServer(user: ("shop", "s3cret"))
        let error = await failure(.sample(), try server.settings(.startTLS, credentials: Self.credentials).mailer())
        #expect(error == .temporary("the mail server does not offer STARTTLS"))
        #expect(try await server.records().isEmpty)
    }

    @Test func `what cannot be in a message is rejected before a connection`() async throws {
        let (server, mailer) = try await SMTPTestServer.withMailer()
        let error = await failure(.sample(to: "lisa@rules.example>\r\nRCPT TO:<bart@rules.example"), mailer)
        #expect(error == .permanent("the recipient is not an email address"))
        #expect(try await server.records().isEmpty)
    }

    // MARK: Failures

    @Test(arguments: [
        ("unknown", true, "550 5.1.1 (address) no such user"), ("several", true, "550 5.2.1 The mailbox is disabled"),
        ("terse", true, "550 no"), ("busy", false, "451 4.7.1 (address) try again later"), ("spam", true, "554 5.7.1"),
        ("full", false, "452 4.3.1"), ("unencrypted", false, "530 5.7.0 Must issue a STARTTLS command first"),
    ])
    func `a refusal is permanent or temporary by its code, and its reason contains no address`(
        _ name: String,
        _ isPermanent: Bool,
        _ reply: String
    ) async throws {
        let (server, mailer) = try await SMTPTestServer.withMailer()
        let reason = "the mail server rejects the mail: \(reply)"
        let expected: MailError = isPermanent ? .permanent(reason) : .temporary(reason)
        #expect(await failure(.sample(to: "\(name)@rules.example"), mailer) == expected)
        // The connection's failure does not affect the next mail.
        try await mailer.send(.sample())
        #expect(try await server.mails().last?.recipients == ["lisa@rules.example"])
    }

    @Test(arguments: [
        ("refused", "553 5.7.1 (address) sender is not owned by the user"),
        ("foreign", "550 5.1.8 (address) domain not found"),
    ])
    func `a sender that the server rejects is a temporary failure`(_ name: String, _ reply: String) async throws {
        let server = try await SMTPTestServer()
        let mailer = try server.settings().mailer(from: "\(name)@shop.example")
        // The command that is rejected decides, not what the recipient would get.
        for recipient in ["lisa", "unknown", "spam"] {
            let error = await failure(.sample(to: "\(recipient)@rules.example"), mailer)
            #expect(error == .temporary("the mail server rejects the sender: \(reply)"))
        }
        #expect(try await server.mails().isEmpty)
    }

    @Test func `a connection cut before the reply is a temporary failure, and the mail keeps its ID`() async throws {
        let (server, mailer) = try await SMTPTestServer.withMailer()
        let mail = Mail.sample(to: "cut@rules.example")
        for _ in 0..<2 {
            let error = await failure(mail, mailer)
            #expect(error?.isTemporary == true && error?.reason.contains("@") == false)
        }
        let mails = try await server.mails()
        #expect(mails.count == 2)
        #expect(mails.allSatisfy { $0.head?["Message-ID"] == "<\(mail.id)@shop.example>" })
    }

    // By default, libcurl would wait two minutes for the reply to QUIT.
    @Test func `a server that does not reply is a temporary failure`() async throws {
        let server = try await SMTPTestServer()
        let mailer = try server.settings().within(.milliseconds(300)).mailer()
        let error = await failure(.sample(to: "silent@rules.example"), mailer)
        #expect(error == .temporary("the mail server takes too long"))
    }

    @Test(.timeLimit(.minutes(2))) func `a mail is sent even if the server does not reply to QUIT`() async throws {
        let server = try await SMTPTestServer()
        let mailer = try server.settings().within(.seconds(5)).mailer()
        #expect(await failure(.sample(to: "stays@rules.example"), mailer) == nil)
    }

    @Test func `a server that cannot be reached is a temporary failure`() async throws {
        let server = try await SMTPTestServer()
        _ = try await server.records()
        let error = await failure(.sample(), try server.settings().mailer())
        #expect(error?.isTemporary == true)
        #expect(error?.reason.hasPrefix("no mail can be given to the mail server: ") == true)
    }

    @Test func `a cancelled task stops to wait for the server`() async throws {
        let (server, mailer) = try await SMTPTestServer.withMailer()
        let task = Task { await failure(.sample(to: "silent@rules.example"), mailer) }
        // The server has the mail, and does not reply.
        while try await server.next().command != "DATA" {}
        task.cancel()
        #expect(await task.value == .temporary("the sending of the mail was cancelled"))
    }
}

extension Substring {
    fileprivate func trimmingSuffix(_ suffix: Character) -> Substring {
        last == suffix ? dropLast().trimmingSuffix(suffix) : self
    }
}
