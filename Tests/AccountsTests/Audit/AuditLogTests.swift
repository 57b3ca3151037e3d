struct AuditLogTests {
    let event = AuditEvent(
        .loginFailed,
        at: .ms(1_234_567_890_123),
        account: AccountID("a"),
        reason: "wrongPassword",
        client: ClientContext(address: IPAddress("203.0.113.7"), requestID: "r-1")
    )

    @Test func `an event is a JSON object with the members that are known`() {
        let text =
            #"{"time":"2009-02-13T23:31:30.123Z","event":"loginFailed","account":"a","reason":"wrongPassword","#
            + #""address":"203.0.113.7","requestID":"r-1"}"#
        #expect(event.json == text)
        var change = AuditEvent(.accountChanged, at: .ms(0))
        change.operatorName = "a \"b\"\\\n"
        #expect(change.json.hasSuffix(#","event":"accountChanged","operator":"a \"b\"\\\n"}"#))
        #expect(AuditEvent(.logout, at: .ms(0)).json == #"{"time":"1970-01-01T00:00:00.000Z","event":"logout"}"#)
    }

    @Test func `a log in memory keeps the last events`() {
        let log = MemoryAuditLog(limit: 2)
        for kind in [AuditEvent.Kind.signup, .login, .logout] { log.record(AuditEvent(kind, at: .ms(0))) }
        #expect(log.kinds == [.login, .logout])
    }

    @Test func `a log in memory records at the commit, and not if an event runs again`() async {
        let log = MemoryAuditLog()
        let work = UnitOfWork(database: nil)
        await UnitOfWork.$ofTask.withValue(work) { await log.recordAtCommit(event) }
        work.restart()
        await UnitOfWork.$ofTask.withValue(work) { await log.recordAtCommit(event) }
        #expect(log.events == [])
        await work.finish()
        #expect(log.events == [event])
    }
}
