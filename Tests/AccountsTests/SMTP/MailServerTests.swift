@testable import Accounts

struct MailServerTests {
    @Test(arguments: [
        ("smtp://mail.shop.example", "smtp://mail.shop.example:587"),
        ("smtps://mail.shop.example/", "smtps://mail.shop.example:465"),
        ("SMTP://[2001:db8::1]:25", "smtp://[2001:db8::1]:25"),
        ("smtps://shop:s3cret@mail.shop.example:4650", "smtps://…@mail.shop.example:4650"),
    ])
    func `the description of a URL hides the user and the password`(_ url: String, _ description: String) throws {
        #expect(try MailServer(url: url).description == description)
    }

    @Test func `the user and the password are percent-encoded`() throws {
        let server = try MailServer(url: "smtps://no-reply%40shop.example:p%C3%A4ss%3A%2f:@mail.shop.example")
        #expect(server.credentials == MailServer.Credentials(user: "no-reply@shop.example", password: "päss:/:"))
        #expect(server.host == "mail.shop.example")
    }

    @Test(arguments: ["localhost", "LOCALHOST", "127.0.0.1", "127.8.9.10", "127.1", "[::1]"])
    func `a connection within this machine is not encrypted, except by smtps`(_ host: String) throws {
        #expect(try MailServer(url: "smtp://\(host):25").security == .none)
        #expect(try MailServer(url: "smtps://\(host):25").security == .tls)
    }

    @Test(arguments: ["mail.shop.example", "localhost.shop.example", "128.0.0.1", "[::2]", "127.0.0.1.shop.example"])
    func `a connection to another machine is always encrypted`(_ host: String) throws {
        #expect(try MailServer(url: "smtp://\(host):25").security == .startTLS)
    }

    @Test(arguments: [
        ("", "it does not begin with"), ("mail.shop.example", "it does not begin with"),
        ("http://mail.shop.example", "does not begin"),
        ("smtp://", "No host"), ("smtp://:25", "No host"), ("smtp://host name", "Bad hostname"),
        ("smtp://host\n", "control character"), ("smtp://[::1", "IPv6"), ("smtp://[127.0.0.1]", "IPv6"),
        ("smtp://host:0", "port"), ("smtp://host:65536", "Port"), ("smtp://[::1]25", "Port"),
        ("smtp://host:+5", "Port"), ("smtp://host/path", "follows"), ("smtp://host?a=b", "follows"),
        ("smtp://user:s3cret;AUTH=PLAIN@host", "special characters"),
        ("smtp://user@host", "without a password"), ("smtp://:s3cret@host", "no user"),
        ("smtp://user:@host", "password is empty"),
        ("smtp://user:s3cret%0d%0a@host", "URL decode"), ("smtp://user:s3cret%ff@host", "UTF-8"),
    ])
    func `an invalid URL is an error that says why, without the password`(_ url: String, _ reason: String) throws {
        let error = try #require(throws: SettingError.self) { try MailServer(url: url) }
        #expect(error.description.localizedCaseInsensitiveContains(reason))
        #expect(!error.description.contains("s3cret"))
    }

    @Test func `the password can come from a file`() throws {
        let folder = TemporaryFolder()
        let file = try folder.file("password")
        #expect(throws: SettingError.self) { try MailServer(url: "smtp://shop@host", passwordFile: file) }
        try folder.write("password", "s3cret\n")
        let server = MailServer(
            host: "host",
            port: 587,
            security: .startTLS,
            credentials: MailServer.Credentials(user: "shop", password: "s3cret"),
            authorities: nil
        )
        #expect(try MailServer(url: "smtp://shop@host", passwordFile: file) == server)
        #expect(try MailServer(url: "smtp://shop:other@host", passwordFile: file) == server)
        #expect(throws: SettingError.self) { try MailServer(url: "smtp://host", passwordFile: file) }
        try folder.write("password", "\n")
        #expect(throws: SettingError.self) { try MailServer(url: "smtp://shop@host", passwordFile: file) }
    }

    @Test func `a file with certificates that cannot be read is rejected`() {
        #expect(throws: SettingError.self) { try MailServer(url: "smtp://host", authorities: "/no/such/file") }
    }
}
