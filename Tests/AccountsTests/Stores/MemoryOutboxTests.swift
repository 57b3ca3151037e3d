struct MemoryOutboxTests {
    let clock = ManualClock()

    func mail(_ number: Int) -> Mail { Mail(id: "\(number)", recipient: "ada@example.org", subject: "", text: "") }

    @Test func `an event's mails are kept by its commit, and an event that fails adds none`() async throws {
        let (received, additions) = (LockedValue<[Mail]>([]), LockedValue(0))
        let outbox = MemoryOutbox(clock: clock) { mail in received.append(mail) }
        outbox.onAddition { additions.change { $0 += 1 } }
        let (failed, committed) = (UnitOfWork(database: nil), UnitOfWork(database: nil))
        try await UnitOfWork.$ofTask.withValue(failed) { try await outbox.add(mail(1)) }
        try await UnitOfWork.$ofTask.withValue(committed) { try await outbox.add(mail(2)) }
        #expect(outbox.mails == [])
        await committed.finish()
        try await outbox.add(mail(3))
        #expect(outbox.mails == [mail(2), mail(3)])
        #expect(received.value == outbox.mails)
        #expect(additions.value == 2)
    }

    @Test func `a mail that is too long is not kept, and of the others the last 1,000`() async throws {
        let outbox = MemoryOutbox(clock: clock)
        let long = Mail(recipient: "a", subject: "", text: "a".repeated(Mail.maximumSize))
        await #expect(throws: MailTooLong()) { try await outbox.add(long) }
        for number in 0..<1_001 { try await outbox.add(mail(number)) }
        #expect(outbox.mails == (1...1_000).map(mail))
    }
}
