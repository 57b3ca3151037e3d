import BusinessLogic
import HTTPMessages
import ScreenTesting
import TestSupport
import Testing
import Understudy
import UnderstudyPages

@testable import OperatorPages

@Suite struct OperatorControllersTests {
    private let administration = AdministrationStub()
    private let clock = ManualClock()
    private let session = StubIdentity(ClientContext(user: User(username: "marge", id: "1")))

    private func page(_ controller: any Eventable) -> ResponseRecorder {
        let recorder = ResponseRecorder(page: "page")
        recorder.eventable = controller
        return recorder
    }

    private func send(_ event: Event, _ values: Value.Object = [:], to recorder: ResponseRecorder) async throws
        -> [Command]
    {
        let before = recorder.commands.count
        for (name, value) in values { recorder.setValue(value, for: name) }
        try await recorder.dispatchEvent(event)
        return Array(recorder.commands.dropFirst(before))
    }

    private var account: ResponseRecorder {
        page(AccountDetailsController(administration: administration, identity: session))
    }

    // MARK: Login

    @Test func `only the token of the server logs an operator in`() async throws {
        session.user = nil
        let login = page(OperatorLoginController(administration: administration, identity: session))
        let wrong = try await send("loginButtonPressed", ["operator": "marge", "token": "another"], to: login)
        #expect(wrong == [.render("message", .wrongToken)])
        #expect(session.user == nil)
        let right: Value.Object = ["operator": "marge", "token": .string(AdministrationStub.token)]
        #expect(try await send("loginButtonPressed", right, to: login) == [.render("message", nil), .goToPage("home")])
        #expect(session.user == User(username: "marge", id: "1"))
    }

    @Test(arguments: ["  ", "mar\u{1B}ge", "a\nb", "mar\u{202E}ge"]) func `a name that logs cannot show is rejected`(
        name: String
    )
        async throws
    {
        session.user = nil
        let login = page(OperatorLoginController(administration: administration, identity: session))
        let values: Value.Object = ["operator": .string(name), "token": .string(AdministrationStub.token)]
        #expect(try await send("loginButtonPressed", values, to: login) == [.render("message", .invalidOperator)])
        #expect(session.user == nil)
    }

    /// Each event of each page but the login, with values that it accepts.
    private static let events: [(page: String, event: Event)] = Page.operators(AdministrationStub()).dropFirst()
        .flatMap { page in page.events.map { (page.name, $0.event) } }

    private func recorder(_ name: String) throws -> ResponseRecorder {
        let controllers: [String: any Eventable] = [
            "home": OverviewController(administration: administration, identity: session, clock: clock),
            "accounts": AccountsController(administration: administration, identity: session),
            "accountDetails": AccountDetailsController(administration: administration, identity: session),
            "sessions": SessionsController(administration: administration, identity: session),
            "sessionDetails": SessionDetailsController(administration: administration, identity: session, clock: clock),
            "mails": MailsController(administration: administration, identity: session),
        ]
        return page(try #require(controllers[name]))
    }

    private static let values: Value.Object = [
        "account": "lisa", "note": "", "role": "admin", "newUsername": "l", "newEmail": "l@example.com",
        "confirmation": "lisa", "search": "", "address": "", "session": "0123abcd", "mail": "1",
    ]

    @Test(arguments: events) func `without an operator, every event leads to the login and changes nothing`(
        page: String,
        event: Event
    ) async throws {
        administration.use([AdministrationStub.account("lisa")])
        administration.use(AdministrationStub.session(events: 1))
        session.user = nil
        #expect(try await send(event, Self.values, to: recorder(page)) == [.goToPage("login")])
        #expect(administration.changes == [])
    }

    @Test(arguments: events) func `after the token has changed, every event logs the operator out`(
        page: String,
        event: Event
    ) async throws {
        administration.use([AdministrationStub.account("lisa")])
        administration.use(AdministrationStub.session(events: 1))
        administration.changeToken()
        #expect(try await send(event, Self.values, to: recorder(page)) == [.goToPage("login")])
        #expect(session.user == nil)
        #expect(administration.changes == [])
    }

    // MARK: Accounts

    @Test func `the list of accounts has pages, and a search begins at its start`() async throws {
        administration.use((100...160).map { AdministrationStub.account("user\($0)") })
        let list = page(AccountsController(administration: administration, identity: session))
        func shown(_ event: Event, _ values: Value.Object = [:]) async throws -> [String] {
            let commands = try await send(event, values, to: list)
            guard case .render("accounts", let accounts, _) = commands.first,
                case .render("hasMore", let more, _) = commands.last
            else { return [] }
            let names = (accounts.array ?? []).compactMap { $0["username"]?.string }
            return [names.first ?? "", names.last ?? "", "\(more)"]
        }
        #expect(try await shown("viewDidLoad") == ["user100", "user149", "true"])
        #expect(try await shown("moreButtonPressed") == ["user150", "user160", "false"])
        #expect(try await shown("moreButtonPressed") == ["user100", "user149", "true"])
        #expect(try await shown("searchButtonPressed", ["search": "16"]) == ["user116", "user160", "false"])
    }

    @Test(
        arguments: [
            ("disableButtonPressed", AccountAction.disable), ("enableButtonPressed", .enable),
            ("unlockButtonPressed", .unlock), ("endSessionsButtonPressed", .endSessions),
            ("noteButtonPressed", .note("")), ("addRoleButtonPressed", .addRole("admin")),
            ("removeRoleButtonPressed", .removeRole("admin")), ("renameButtonPressed", .rename("l")),
            ("changeEmailButtonPressed", .changeEmail("l@example.com")),
        ] as [(Event, AccountAction)]
    )
    func `a button changes the account that the page shows, in the name of the operator`(
        event: Event,
        action: AccountAction
    ) async throws {
        let lisa = AdministrationStub.account("lisa")
        administration.use([lisa])
        let commands = try await send(event, Self.values, to: account)
        #expect(commands == [.render("account", lisa.screenValue), .render("message", .changed)])
        #expect(administration.changes == ["marge: \(action) id of lisa"])
    }

    @Test func `a page shows what has become of a change`() async throws {
        administration.use([AdministrationStub.account("lisa")])
        let results: [(ChangeResult, Message)] = [
            (.unchanged, .unchanged), (.unknown, .unknownAccount), (.rejected("it is taken"), .rejected("it is taken")),
        ]
        for (result, message) in results {
            administration.answer(result)
            let commands = try await send("unlockButtonPressed", Self.values, to: account)
            #expect(commands.last == .render("message", message))
        }
        let commands = try await send("unlockButtonPressed", ["account": "bart"], to: account)
        #expect(commands == [.render("account", nil), .render("message", .unknownAccount)])
    }

    @Test func `an account is deleted only if its username is entered`() async throws {
        administration.use([AdministrationStub.account("lisa")])
        let wrong: Value.Object = ["account": "lisa", "confirmation": "Lisa"]
        let rejected = try await send("deleteButtonPressed", wrong, to: account)
        #expect(rejected == [.render("message", .wrongConfirmation)])
        #expect(administration.changes == [])
        let commands = try await send("deleteButtonPressed", Self.values, to: account)
        #expect(commands == [.render("account", nil), .render("message", .changed)])
        #expect(administration.changes == ["marge: delete id of lisa"])
    }

    // MARK: Sessions

    @Test func `a selection that selects nothing says why`() async throws {
        administration.use(AdministrationStub.session(events: 1))
        let list = page(SessionsController(administration: administration, identity: session))
        let none = try await send("searchButtonPressed", ["account": "unknown", "address": ""], to: list)
        #expect(none.last == .render("message", .noSuchAccount))
        let wrong = try await send("searchButtonPressed", ["account": "", "address": "here"], to: list)
        #expect(wrong.last == .render("message", .noAddress))
        let all = try await send("searchButtonPressed", ["account": "", "address": ""], to: list)
        #expect(all.last == .render("message", nil))
    }

    @Test func `an open page shows a session again only after it was used`() async throws {
        administration.use(AdministrationStub.session(events: 1))
        let controller = SessionDetailsController(administration: administration, identity: session, clock: clock)
        let shown = page(controller)
        let refresh = try #require(SessionDetailsController.events.updates.first?.event)
        func refreshed() async throws -> [Command] {
            let before = shown.commands.count
            _ = try await controller.handleEvent(at: SessionDetailsController.events.rows.count - 1)
            return Array(shown.commands.dropFirst(before))
        }
        #expect(refresh == "refreshed")
        let first = AdministrationStub.session(events: 1).screenValue
        #expect(
            try await send("viewDidLoad", Self.values, to: shown) == [
                .render("message", nil), .render("session", first),
            ]
        )
        #expect(controller.state.refresh == clock.now + .seconds(2))
        #expect(try await refreshed() == [])
        administration.use(AdministrationStub.session(events: 2))
        #expect(try await refreshed() == [.render("session", AdministrationStub.session(events: 2).screenValue)])
        administration.use(nil as SessionDetails?)
        #expect(try await refreshed() == [.render("session", nil), .render("message", .unknownSession)])
        #expect(controller.state.refresh == nil)
    }

    @Test func `a page that is open after the token has changed shows nothing new`() async throws {
        administration.use(AdministrationStub.session(events: 1))
        let controller = SessionDetailsController(administration: administration, identity: session, clock: clock)
        let shown = page(controller)
        _ = try await send("viewDidLoad", Self.values, to: shown)
        administration.changeToken()
        administration.use(AdministrationStub.session(events: 2))
        let before = shown.commands.count
        _ = try await controller.handleEvent(at: SessionDetailsController.events.rows.count - 1)
        #expect(shown.commands.count == before)
        #expect(controller.state.refresh == nil)
    }

    @Test func `the JSON of a session disappears when the session changes or ends`() async throws {
        administration.use(AdministrationStub.session(events: 1))
        let controller = SessionDetailsController(administration: administration, identity: session, clock: clock)
        let shown = page(controller)
        let unchanged = try await send("viewDidLoad", Self.values, to: shown)
        #expect(!unchanged.contains(.render("json", nil)))
        func isHiddenAfter(_ action: () async throws -> Void) async throws -> Bool {
            let json = try await send("jsonButtonPressed", Self.values, to: shown)
            #expect(json == [.render("json", #"{"id":"0123abcd"}"#), .render("message", nil)])
            let before = shown.commands.count
            try await action()
            return shown.commands.dropFirst(before).contains(.render("json", nil))
        }
        func refresh() async throws {
            _ = try await controller.handleEvent(at: SessionDetailsController.events.rows.count - 1)
        }
        #expect(try await !isHiddenAfter { try await refresh() })
        #expect(
            try await isHiddenAfter {
                administration.use(AdministrationStub.session(events: 2))
                try await refresh()
            }
        )
        #expect(try await isHiddenAfter { _ = try await send("endButtonPressed", Self.values, to: shown) })
        #expect(
            try await send("jsonButtonPressed", Self.values, to: shown) == [
                .render("json", nil), .render("message", .unknownSession),
            ]
        )
    }

    @Test func `a session is ended once`() async throws {
        administration.use(AdministrationStub.session(events: 1))
        let shown = page(SessionDetailsController(administration: administration, identity: session, clock: clock))
        let ended = try await send("endButtonPressed", Self.values, to: shown)
        #expect(ended == [.render("session", nil), .render("message", .sessionEnded)])
        let again = try await send("endButtonPressed", Self.values, to: shown)
        #expect(again == [.render("session", nil), .render("message", .unknownSession)])
        #expect(administration.changes == ["marge: end 0123abcd"])
    }

    // MARK: Mails

    @Test func `a mail that has failed is sent again or discarded`() async throws {
        let mail = MailSummary(
            number: 1,
            id: "1",
            added: AdministrationStub.time,
            attempts: 3,
            recipient: "lisa@example.com",
            state: "failed",
            hasFailed: true
        )
        administration.use([mail])
        let list = page(MailsController(administration: administration, identity: session))
        #expect(try await send("retryButtonPressed", Self.values, to: list).last == .render("message", .mailRetried))
        let other = try await send("retryButtonPressed", ["mail": "2"], to: list)
        #expect(other.last == .render("message", .mailNotRetried))
        #expect(
            try await send("discardButtonPressed", Self.values, to: list) == [
                .render("mails", []), .render("hasMore", false), .render("message", .mailDiscarded),
            ]
        )
        #expect(try await send("discardButtonPressed", Self.values, to: list).last == .render("message", .unknownMail))
    }
}
