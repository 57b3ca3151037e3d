@testable import Understudy

@Suite(.fiveMinutes) struct TestControlMailTests {
    /// Mails that a test adds.
    final class KeptMails: TestMailbox {
        struct Action {
            let run: @Sendable () -> Void
        }

        let mails = LockedValue<[TestMail]>([])
        let actions = LockedValue<[Action]>([])

        var testMails: [TestMail] { mails.value }

        func onAddition(_ action: @escaping @Sendable () -> Void) { actions.append(Action(run: action)) }

        func add(_ new: TestMail...) {
            mails.change { $0 += new }
            for action in actions.value { action.run() }
        }
    }

    let kept = KeptMails()

    static func mail(to recipient: String, _ subject: String, _ text: String) -> TestMail {
        TestMail(recipient: recipient, subject: subject, text: text, sent: .ms(0))
    }

    static let code = mail(
        to: "lisa@rules.example",
        "12345678 is your code",
        "In 2026, your code is 12345678.\n\nhttp://127.0.0.1:8080/reset?code=12345678\n"
    )
    static let notice = mail(to: "b+art@rules.example", "Changed", "No code, no link.")

    func withOperators(keepsMails: Bool = true, _ body: (SocketSender, TestControl) async throws -> Void) async throws {
        let control = TestControl(
            clock: AdvanceableClock(SystemClock()),
            start: SavedData {},
            mails: keepsMails ? kept : nil
        ) { SavedData {} }
        let service = UnderstudyService(pages: Page.bundled()) { $0.isResettable = true }
        let responder = AdminResponder(service: service, exposition: { "" }, testControl: control)
        try await withServer(responder) { try await body(SocketSender(port: $0), control) }
    }

    @Test func `a mail has its code and link, and a test may ask for one address`() async throws {
        kept.add(Self.code, Self.notice)
        try await withOperators { operators, _ async throws in
            let all = try await operators.mails("")
            #expect(
                all.text == """
                    {"mails":[{"to":"lisa@rules.example","subject":"12345678 is your code",\
                    "text":"In 2026, your code is 12345678.\\n\\nhttp://127.0.0.1:8080/reset?code=12345678\\n",\
                    "code":"12345678","link":"http://127.0.0.1:8080/reset?code=12345678","sent":"1970-01-01T00:00:00Z"},\
                    {"to":"b+art@rules.example","subject":"Changed","text":"No code, no link.","code":null,"link":null,\
                    "sent":"1970-01-01T00:00:00Z"}]}

                    """
            )
            let one = try await operators.mails("?to=b%2Bart%40rules.example&wait=5")
            #expect(one.text.hasPrefix(#"{"mails":[{"to":"b+art@rules.example""#))
            #expect(try await operators.mails("?to=stranger").text == "{\"mails\":[]}\n")
            try await expect(operators.mails("?too=stranger"), 400, "invalidParameter")
        }
    }

    @Test func `a mail ends the waits of all requests for it`() async throws {
        try await withOperators { operators, control async throws in
            async let one = operators.mails("?to=lisa%40rules.example&wait=50")
            async let another = SocketSender(port: operators.port).mails("?to=lisa%40rules.example&wait=50")
            #expect(try await eventually { control.waitingForMails.count == 2 })
            // To another address.
            kept.add(Self.notice)
            kept.add(Self.code)
            let answers = try await [one, another]
            #expect(answers.allSatisfy { $0.text.contains(#""code":"12345678""#) })
            #expect(control.waitingForMails.count == 0)
        }
    }

    @Test func `a wait ends after its duration, with no mails`() async throws {
        try await withOperators { operators, control async throws in
            #expect(try await operators.mails("?wait=1").text == "{\"mails\":[]}\n")
            #expect(control.waitingForMails.count == 0)
        }
    }

    @Test func `a request whose client disconnects waits no longer`() async throws {
        try await withOperators { operators, control async throws in
            let client = try await HTTPTestClient(port: operators.port)
            try await client.send("GET /test/mail?wait=50 HTTP/1.1\r\nHost: localhost\r\n\r\n")
            #expect(try await eventually { control.waitingForMails.count == 1 })
            await client.close()
            // Less than the wait.
            #expect(try await eventually(within: .seconds(40)) { control.waitingForMails.count == 0 })
        }
    }

    @Test(arguments: ["-1", "51", "1.5", "x", ""])
    func `a request waits for at most 50 seconds`(wait: String) async throws {
        try await withOperators { operators, _ async throws in
            let answer = try await expect(operators.mails("?wait=\(wait)"), 400)
            #expect(answer.text.contains("'wait' must be a whole number from 0 to 50."))
        }
    }

    @Test func `a server with a mail server keeps no mails`() async throws {
        try await withOperators(keepsMails: false) { operators, _ async throws in
            #expect(try await expect(operators.mails(""), 404).text.contains("mail-url"))
        }
    }
}

extension SocketSender {
    fileprivate func mails(_ query: String) async throws -> Answer { try await get("/test/mail" + query) }
}
