@testable import AccountsDatabase
@testable import UnderstudyCommandLine

struct SessionDetailsTests {
    /// Shows a recovery code, which is a secret, and a hint.
    struct CodeController: Script {
        static let code = Output<String>("code", isSecret: true)
        static let hint = Output<String>("hint")
        static let events: Events = [
            .default("show", gives: [.renders(code), .renders(hint)]) { $0.render(hint, "hint") }
        ]
    }

    static let content = """
        {"values":{"progress":{"code":"canary"}},"pages":[\
        {"page":"code","state":"canary","recorder":{"rendered":{"code":"canary","hint":"here"},"values":{"name":"Lisa"}}},\
        {"page":"unknown","recorder":{"rendered":{"secret":"canary"},"values":{}}}],\
        "history":[{"sequence":1,"page":"code","command":{"render":{"key":"code","value":"canary","message":{"text":"canary"}}}}],\
        "idempotencyCache":{"entries":["canary"]},"user":{"username":"lisa","id":"1"}}
        """
    static let event = """
        {"commands":[{"sequence":2,"page":"code","command":{"showAlert":{"_0":{"code":"a.b","text":"Hello"}}}},\
        {"sequence":3,"page":"unknown","command":{"render":{"key":"secret","value":"canary"}}}],"responses":["canary"]}
        """

    func shown(_ content: String = content) -> SessionDetails {
        let id = (0..<16).map { UInt8($0) }
        let time = Timestamp.ms(0)
        let session = StoredSession(
            id: id,
            user: "1",
            created: time,
            lastUsed: time,
            content: content.bytes,
            version: 2,
            events: [StoredEvent(version: 2, content: Self.event.bytes)]
        )
        var listed = ListedSession(
            number: 1,
            id: id,
            user: "1",
            created: time,
            lastUsed: time,
            events: 2,
            size: 100
        )
        listed.username = "lisa"
        return SessionDetails(session, listed, pages: [Page("code", CodeController())])
    }

    @Test func `what an operator sees of a session contains no secrets`() {
        let shown = shown()
        #expect(
            shown.lines.dropFirst(5) == [
                "  values      progress",
                "  page code",
                "    shows code: (secret)",
                "    shows hint: here",
                "    field name: Lisa",
                "  commands",
                "    1  code  render  code  (secret)",
                "    2  code  showAlert  a.b",
            ]
        )
        #expect(!shown.screenValue.json.text.contains("canary"))
    }

    @Test func `what users have entered shows no unprintable characters`() {
        let content =
            #"{"pages":[{"page":"code","recorder":{"rendered":{"hint":"\u001B[31m"},"values":{"na\u202Eme":"Li\u009Bsa"}}}]}"#
        let lines = shown(content).lines
        #expect(lines.contains("    shows hint: \u{FFFD}[31m"))
        #expect(lines.contains("    field na\u{FFFD}me: Li\u{FFFD}sa"))
    }

    @Test(arguments: ["", "{", "[]", #"{"pages":1,"values":[],"history":{},"user":2}"#])
    func `damaged contents show nothing`(content: String) {
        let shown = shown(content)
        #expect(shown.values.isEmpty && shown.contents.isEmpty)
        #expect(shown.lines.contains("  user        lisa (1)"))
    }
}
