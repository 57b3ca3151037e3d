import Accounts
import AccountsDatabase
import TestSupport
import Understudy

@testable import UnderstudyCommandLine

struct OperatorControllersTests {
    let workplace: OperatorWorkplace
    let session: StubIdentity

    init() throws {
        workplace = try OperatorWorkplace()
        session = try workplace.identity()
    }

    var access: OperatorAccess { workplace.access }

    func page(_ controller: any Eventable) -> ResponseRecorder {
        let recorder = ResponseRecorder(page: "page")
        recorder.eventable = controller
        return recorder
    }

    func send(_ event: Event, _ values: Value.Object = values, to recorder: ResponseRecorder) async throws
        -> [Command]
    {
        let before = recorder.commands.count
        for (name, value) in values { recorder.setValue(value, for: name) }
        try await recorder.dispatchEvent(event)
        return Array(recorder.commands.dropFirst(before))
    }

    var account: ResponseRecorder { page(AccountDetailsController(access: access, identity: session)) }

    static let sessionID = SessionsStub.session(events: 1).brief

    static let values: Value.Object = [
        "account": "lisa", "note": "new", "role": "admin", "newUsername": "l", "newEmail": "l@example.com",
        "confirmation": "lisa", "search": "", "text": "", "session": .string(sessionID), "mail": "1",
    ]

    // MARK: Login

    @Test func `only the token of the server logs an operator in`() async throws {
        session.user = nil
        let login = page(OperatorLoginController(access: access, identity: session))
        let wrong = try await send("loginButtonPressed", ["operator": "marge", "token": "another"], to: login)
        #expect(wrong == [.render("message", .wrongToken)])
        #expect(session.user == nil)
        let right: Value.Object = ["operator": "marge", "token": .string(OperatorWorkplace.token)]
        #expect(try await send("loginButtonPressed", right, to: login) == [.render("message", nil), .goToPage("home")])
        #expect(session.user == User(username: "marge", id: try access.token.id))
    }

    @Test(arguments: ["  ", "mar\u{1B}ge", "a\nb", "mar\u{202E}ge"])
    func `a name that logs cannot show is rejected`(name: String) async throws {
        session.user = nil
        let login = page(OperatorLoginController(access: access, identity: session))
        let values: Value.Object = ["operator": .string(name), "token": .string(OperatorWorkplace.token)]
        #expect(try await send("loginButtonPressed", values, to: login) == [.render("message", .invalidOperator)])
        #expect(session.user == nil)
    }

    /// Sends each event of each page but the login, with values that it accepts, and expects that it only leads to the login.
    func expectLogin(_ identity: () throws -> StubIdentity) async throws {
        try await workplace.add("lisa")
        workplace.sessions.use(events: 1)
        let controllers: [(StubIdentity) -> any BusinessLogicController] = [
            { OverviewController(access: access, identity: $0) }, { AccountsController(access: access, identity: $0) },
            { AccountDetailsController(access: access, identity: $0) },
            { SessionsController(access: access, identity: $0) },
            { SessionDetailsController(access: access, identity: $0) },
            { MailsController(access: access, identity: $0) }, { AuditController(access: access, identity: $0) },
        ]
        #expect(controllers.count == Page.operators(access).count - 1)
        for controller in controllers {
            for event in controller(session).declaredEvents {
                let identity = try identity()
                #expect(try await send(event, to: page(controller(identity))) == [.goToPage("login")], "\(event)")
                #expect(identity.user == nil)
            }
        }
        #expect(workplace.audit.events == [])
    }

    @Test func `without an operator, every event leads to the login and changes nothing`() async throws {
        try await expectLogin { StubIdentity(ClientContext()) }
    }

    @Test func `after the token has changed, every event logs the operator out`() async throws {
        let user = session.user
        try workplace.setToken("another token of the server")
        try await expectLogin { StubIdentity(ClientContext(user: user)) }
    }

    // MARK: Accounts

    @Test func `the list of accounts has pages, which a reload keeps, and a search begins at its start`() async throws {
        for number in 100...160 { try await workplace.add("user\(number)") }
        let list = page(AccountsController(access: access, identity: session))
        func shown(_ event: Event, _ values: Value.Object = [:]) async throws -> [String] {
            let commands = try await send(event, values, to: list)
            var shown: Value.Object = [:]
            for case .render(let name, let value, _) in commands { shown[name] = value }
            let names = (shown["accounts"]?.array ?? []).compactMap { $0["username"]?.string }
            return [names.first ?? "", names.last ?? "", "\(shown["hasMore"] ?? "")", "\(shown["from"] ?? "")"]
        }
        let start = ["user100", "user149", "true", "null"]
        let end = ["user150", "user160", "false", "51"]
        #expect(try await shown("viewDidLoad") == start)
        #expect(try await shown("moreButtonPressed") == end)
        #expect(try await shown("moreButtonPressed") == start)
        #expect(try await shown("moreButtonPressed") == end)
        #expect(try await shown("viewDidLoad") == end)
        #expect(try await shown("startButtonPressed") == start)
        let found = ["user110", "user119", "false", "null"]
        #expect(try await shown("searchButtonPressed", ["search": "SER11"]) == found)
        #expect(try await shown("viewDidLoad") == found)
    }

    @Test func `a button changes the account that the page shows, in the name of the operator`() async throws {
        try await workplace.add("lisa")
        let id = try await workplace.administration.knownAccount("lisa").id
        try await workplace.administration.database.update(.account(id)) { $0.failures = 5 }
        for (event, reason) in [
            ("disable", "disabled"), ("enable", "enabled"), ("unlock", "unlocked"), ("endSessions", "sessionsEnded"),
            ("note", "note"), ("addRole", "roles=admin"), ("removeRole", "roles="), ("changeEmail", "email"),
            ("rename", "username"),
        ] {
            let commands = try await send(Event("\(event)ButtonPressed"), to: account)
            let shown = try await workplace.shown(id.text)
            #expect(commands == [.render("account", shown), .render("sessions", []), .render("message", .changed)])
            let record = try #require(workplace.audit.events.last)
            #expect(record.kind == .accountChanged && record.account == id)
            #expect(record.reason == reason && record.operatorName == "marge")
        }
        let changed = try await workplace.administration.knownAccount("l")
        #expect(changed.note == "new" && changed.email == "l@example.com")
    }

    @Test func `a page shows what has become of a change`() async throws {
        try await workplace.add("lisa", "l")
        for (event, message) in [
            ("unlock", .unchanged), ("rename", .rejected("another account has this username").about("newUsername")),
        ] as [(String, Message)] {
            #expect(try await send(Event("\(event)ButtonPressed"), to: account).last == .render("message", message))
        }
        let commands = try await send("unlockButtonPressed", ["account": "bart"], to: account)
        #expect(commands == [.render("account", nil), .render("sessions", []), .render("message", .unknownAccount)])
    }

    @Test func `an account is deleted only if its username is entered`() async throws {
        try await workplace.add("lisa")
        let wrong: Value.Object = ["account": "lisa", "confirmation": "Lisa"]
        #expect(try await send("deleteButtonPressed", wrong, to: account) == [.render("message", .wrongConfirmation)])
        #expect(try await workplace.administration.database.account(named: "lisa") != nil)
        let commands = try await send("deleteButtonPressed", to: account)
        #expect(commands == [.render("account", nil), .render("sessions", []), .render("message", .changed)])
        #expect(try await workplace.administration.database.account(named: "lisa") == nil)
        #expect(workplace.audit.events.map(\.operatorName) == ["marge"])
    }

    // MARK: Sessions

    /// The page of a session with one event.
    func sessionPage() -> (controller: SessionDetailsController, page: ResponseRecorder) {
        workplace.sessions.use(events: 1)
        let controller = SessionDetailsController(access: access, identity: session)
        return (controller, page(controller))
    }

    /// The commands of a page that is open when its timer fires.
    func refresh(_ shown: (controller: SessionDetailsController, page: ResponseRecorder)) async throws
        -> [Command]
    {
        let before = shown.page.commands.count
        #expect(SessionDetailsController.events.updates.first?.event == "refreshed")
        try await shown.controller.handleEvent(at: SessionDetailsController.events.rows.count - 1) {}
        return Array(shown.page.commands.dropFirst(before))
    }

    func shownSession() async throws -> Value {
        let session = try #require(workplace.sessions.sessions(SessionFilter(), after: 0, limit: 1).first)
        return try #require(try await workplace.administration.details(of: session)).screenValue
    }

    @Test func `a selection that selects nothing says why`() async throws {
        workplace.sessions.use(events: 1)
        let list = page(SessionsController(access: access, identity: session))
        for (account, message) in [("unknown", .noSuchAccount), ("", nil)] as [(String, Message?)] {
            let commands = try await send("searchButtonPressed", ["account": .string(account)], to: list)
            #expect(commands.last == message.map { .render("message", $0) } ?? .render("message", nil))
            guard case .render("sessions", .array(let sessions), _) = commands.first else {
                Issue.record("no sessions")
                continue
            }
            #expect(sessions.count == (message == nil ? 1 : 0))
        }
    }

    @Test func `an open page shows a session again only after it was used`() async throws {
        let shown = sessionPage()
        #expect(
            try await send("viewDidLoad", to: shown.page) == [
                .render("message", nil), .render("session", shownSession()),
            ]
        )
        #expect(shown.controller.state.refresh == workplace.clock.now + .seconds(2))
        #expect(try await refresh(shown) == [])
        workplace.sessions.use(events: 2)
        #expect(try await refresh(shown) == [.render("session", shownSession())])
        workplace.sessions.end()
        #expect(try await refresh(shown) == [.render("session", nil), .render("message", .noSuchSession)])
        #expect(shown.controller.state.refresh == nil)
    }

    @Test func `a page that is open after the token has changed shows nothing new`() async throws {
        let shown = sessionPage()
        _ = try await send("viewDidLoad", to: shown.page)
        try workplace.setToken("another token of the server")
        workplace.sessions.use(events: 2)
        #expect(try await refresh(shown) == [])
        #expect(shown.controller.state.refresh == nil)
    }

    @Test func `a session is ended once`() async throws {
        let shown = sessionPage().page
        let ended = try await send("endButtonPressed", to: shown)
        #expect(ended == [.render("session", nil), .render("message", .sessionEnded)])
        let again = try await send("endButtonPressed", to: shown)
        #expect(again == [.render("session", nil), .render("message", .noSuchSession)])
        #expect(workplace.audit.events.map(\.reason) == [Self.sessionID])
        #expect(workplace.audit.events.map(\.operatorName) == ["marge"])
    }

    // MARK: Audit log

    @Test func `the audit log shows what an operator has done, the newest record first`() async throws {
        let log = DatabaseAuditLog(workplace.administration.database) { _, error in Issue.record(error) }
        func record(_ reason: String, by name: String) async -> Value {
            let operation = AuditEvent(.accountChanged, at: workplace.clock.now, reason: reason, operatorName: name)
            await log.record(operation)
            return [
                "time": .string(operation.time.text), "event": "accountChanged", "operator": .string(name),
                "account": .null, "reason": .string(reason), "address": .null,
            ]
        }
        let first = await record("disabled", by: "marge")
        _ = await record("enabled", by: "homer")
        let last = await record("100%", by: "marge")
        let list = page(AuditController(access: access, identity: session))
        let found = try await send("searchButtonPressed", ["text": "marge"], to: list)
        #expect(found == [.render("records", [last, first]), .render("hasMore", false), .render("from", .null)])
        let text = try await send("searchButtonPressed", ["text": "0%"], to: list)
        #expect(text == [.render("records", [last]), .render("hasMore", false), .render("from", .null)])
    }

    // MARK: Mails

    @Test func `a mail that has failed is sent again or discarded`() async throws {
        let outbox = workplace.administration.outbox
        try await outbox.add(Mail(id: "1", recipient: "lisa@example.com", subject: "", text: ""))
        try await outbox.recordFailure(of: "1", reason: "no", retryingAt: nil)
        let list = page(MailsController(access: access, identity: session))
        #expect(try await send("retryButtonPressed", to: list).last == .render("message", .mailRetried))
        let other = try await send("retryButtonPressed", ["mail": "2"], to: list)
        #expect(other.last == .render("message", .mailNotRetried))
        #expect(
            try await send("discardButtonPressed", to: list) == [
                .render("mails", []), .render("hasMore", false), .render("from", .null),
                .render("message", .mailDiscarded),
            ]
        )
        #expect(try await send("discardButtonPressed", to: list).last == .render("message", .unknownMail))
        #expect(workplace.audit.events.map(\.kind) == [.mailRetried, .mailDiscarded])
    }
}

extension BusinessLogicController {
    fileprivate var declaredEvents: [Event] { Self.events.declarations.map(\.event) }
}
