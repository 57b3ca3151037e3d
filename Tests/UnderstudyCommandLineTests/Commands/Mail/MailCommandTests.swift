@Suite(.fiveMinutes) struct MailCommandTests {
    let workplace = Workplace()
    let outbox: DatabaseOutbox

    init() throws { outbox = DatabaseOutbox(try SQLiteDatabase(path: workplace.database), clock: SystemClock()) }

    /// Adds a mail that waits, one that waits for its next attempt, one that is being sent, one that has expired, and two that have failed,
    /// of which one has expired.
    func addMails() async throws {
        let now = SystemClock().now
        func add(_ id: String, _ recipient: String = "ada@example.org", expires: Timestamp? = nil) async throws {
            try await outbox.add(
                Mail(id: id, recipient: recipient, subject: "hidden", text: "hidden", expires: expires)
            )
        }
        try await add("sending")
        _ = try await outbox.claim(limit: 1)
        try await add("failed", "bob\u{9B}2J@example.org")
        _ = try await outbox.claim(limit: 1)
        try await outbox.recordFailure(of: "failed", reason: "no such \u{9B}user", retryingAt: nil)
        try await add("postponed")
        _ = try await outbox.claim(limit: 1)
        let due = Timestamp.ms((now.milliseconds / 60_000 + 30) * 60_000)
        try await outbox.recordFailure(of: "postponed", reason: "busy", retryingAt: due)
        try await add("old", expires: now - .seconds(1))
        try await outbox.recordFailure(of: "old", reason: "busy", retryingAt: nil)
        try await add("expired", expires: now - .seconds(1))
        try await add("waiting", expires: now + .seconds(3_600))
    }

    @Test func `mails are listed in the order of their addition, without their subjects and contents`() async throws {
        try await addMails()
        try await workplace.expect(
            """
            $ mail list
            ID…ADDED…ATTEMPTS  RECIPIENT…STATE
            sending…  1         ada@example.org…sending
            failed…  1         bob\u{FFFD}2J@example.org        failed: no such \u{FFFD}user
            postponed…ada@example.org           waiting until 20…:00Z: busy
            old…
            expired…
            waiting…  0         ada@example.org…waiting
            $ mail list --failed --json
            {"id":"failed",…"recipient":"bob\\u009b2J@example.org","state":"failed",…"reason":"no such \\u009buser",…}
            {"id":"old",…}
            """
        )
        for arguments in [["mail", "list"], ["mail", "list", "--failed", "--json"]] {
            let text = try await workplace.run(arguments).output.joined()
            #expect(!text.contains("hidden") && !text.contains("due"))
        }
    }

    @Test func `a mail is retried by its ID`() async throws {
        try await addMails()
        try await workplace.expect(
            """
            $ mail retry failed
            A server sends the mail 'failed' within a few seconds.
            $ mail retry postponed
            A server sends the mail 'postponed' within a few seconds.
            """
        )
        #expect(try await outbox.claim(limit: 9).map(\.mail.id).contains("failed"))
        try await workplace.expect(
            """
            $ mail retry old
            error: The mail 'old' has expired, and is not sent any more: discard it.
            $ mail retry sending
            error: A server sends the mail 'sending' at the moment.
            $ mail retry no
            error: There is no mail 'no' that waits or has failed.
            """
        )
    }

    @Test func `all mails that have failed are retried, except those that have expired`() async throws {
        try await addMails()
        try await workplace.expect("$ mail retry --all\nretried 1, expired 1")
        #expect(try await outbox.mail("failed")?.failed == nil)
        #expect(try await outbox.mail("postponed")?.reason == "busy")
        try await workplace.expect("$ mail retry --all\nretried 0, expired 1")
    }

    @Test func `mails are discarded by their ID, or all that have failed`() async throws {
        try await addMails()
        try await workplace.expect(
            """
            $ mail discard waiting
            error: …add '--yes'.
            exit status 64
            $ mail discard waiting --yes
            Discarded the mail 'waiting'.
            $ mail discard waiting --yes
            error: There is no mail 'waiting' that waits or has failed.
            $ mail discard --all --yes
            discarded 2
            """
        )
        #expect(try await outbox.mails(after: 0, limit: 99).map(\.mail.id) == ["sending", "postponed", "expired"])
        let records = try await workplace.auditRecords()
        #expect(records.count == 3)
        #expect(records.first?.contains(#""event":"mailDiscarded","reason":"waiting","operator":""#) == true)
    }
}
