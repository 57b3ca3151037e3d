import Foundation

/// What a comparison finds of a change, with both versions in this process.
// One after the other: a search suspends rarely, and on two processors two of them would keep all other tests waiting.
@Suite(.serialized) struct ComparisonTests {
    func compare(
        _ old: [Page],
        _ new: [Page],
        only pages: Set<String>? = nil,
        limits: Comparison.Limits = Comparison.Limits(),
        user: User? = User(username: "lisa")
    ) async throws -> ComparisonReport {
        try await Comparison(old: ApplicationStep(old), new: ApplicationStep(new), limits: limits, user: user)
            .run(pages)
    }

    /// The bundled pages with few failures of a login, since their number multiplies the pairs of states.
    static func bundled(failures: Int = 1, normaliser: any InputNormalising = InputNormaliser()) -> [Page] {
        Page.bundled(normaliser: normaliser, loginLimit: LoginAttempts.Limit(failures: failures))
    }

    /// The groups of differences of all pages, each with the number of events.
    func causes(_ report: ComparisonReport) -> [String] {
        report.pages.flatMap { page in
            page.differences.map { "\(page.name) \($0.steps.count) \($0.event), \($0.cause)" }
        }
    }

    /// Whether a comparison of the page with itself leaves nothing untried.
    func isClosed(_ page: Page, user: User? = User(username: "lisa")) async throws -> Bool? {
        try await compare([page], [page], user: user).pages.first?.isClosed
    }

    /// A page that calls a collaborator.
    func calling(
        _ name: String,
        examples: [ResultExamples] = [],
        _ call: @escaping @Sendable (PageContext.Results) async throws -> Void
    ) -> Page {
        Page(name, resultExamples: examples) { context in
            let results = context.results
            return Scripted(Caller { try await call(results) })
        }
    }

    @Test(arguments: ["login", "home", "register", "products", "product"])
    func `a program is equal to itself, and nothing is left untried`(page: String) async throws {
        let report = try await compare(Self.bundled(), Self.bundled(), only: [page])
        let result = try #require(report.pages.first)
        #expect(report.pages.count == 1)
        #expect(causes(report) == [])
        #expect(result.isClosed)
        #expect(result.pairs > 1)
    }

    @Test(arguments: [
        (
            LoginAttempts.Limit(failures: 1),
            [
                "1 loginButtonPressed, updates: no update, now lockEnded of page login in 15 min",
                "2 loginButtonPressed, command: goToPage Home, now showAlert login.tooManyAttempts",
            ]
        ),
        (
            LoginAttempts.Limit(failures: 2, interval: .seconds(1800)),
            ["2 loginButtonPressed, updates: lockEnded of page login in 15 min, now lockEnded of page login in 30 min"]
        ),
    ])
    func `another limit of logins shows in the timer, and then in the response`(
        limit: LoginAttempts.Limit,
        first: [String]
    ) async throws {
        let new = Page.bundled(loginLimit: limit)
        let found = causes(try await compare(Self.bundled(failures: 2), new, only: ["login"]))
        #expect(found.prefix(first.count) == first.map { "login " + $0 }[...])
    }

    @Test(arguments: [true, false])
    func `a duration is found to the second, whatever type stores the time`(isDate: Bool) async throws {
        func page(_ seconds: Int) -> Page {
            Page("door") { Scripted(Door(clock: $0.recorded(SystemClock()), seconds: seconds, storesDate: isDate)) }
        }
        #expect(try await isClosed(page(900), user: nil) == true)
        let report = try await compare([page(900)], [page(901)], user: nil)
        #expect(causes(report) == ["door 2 opened, command: render isOpen, other value"])
        #expect(report.pages.first?.differences.first?.steps.map(\.wait) == [0, 900_000])
    }

    @Test func `a normaliser that accepts one more form shows after one event`() async throws {
        let new = Page.bundled(normaliser: HyphenNormaliser())
        let report = try await compare(Page.bundled(), new, only: ["register"], user: nil)
        #expect(causes(report) == ["register 1 textFieldDidEndEditing, command: render userID, other value"])
        #expect(report.pages.first?.differences.first?.steps.first?.values == ["userID": " 012345- 678912 "])
        // With a user, the results of the collaborator that is called now give others, with the same cause.
        let withUser = try await compare(Page.bundled(), new, only: ["register"])
        #expect(causes(withUser).count > 1)
        #expect(withUser.causes.count == 1)
    }

    @Test func `a page is compared with values that were set with a timer due at once`() async throws {
        func pages(_ text: String) -> [Page] {
            let bell = SessionValue("bell", 0)
            return [
                Page("bell") { Scripted(Bell(clock: $0.recorded(SystemClock()), rung: $0[bell])) },
                Page("sign") { Scripted(Sign(rung: $0[bell], rungText: text)) },
            ]
        }
        #expect(try await compare(pages("rung"), pages("rung")).pages.map(\.isClosed) == [true, true])
        let report = try await compare(pages("rung"), pages("was rung"))
        #expect(causes(report) == ["sign 3 shown, command: render text, other value"])
    }

    @Test func `a number of seconds is no time, whatever its value is`() async throws {
        let page = Page("till") { Scripted(Till(clock: $0.recorded(SystemClock()))) }
        let result = try await compare([page], [page], user: nil).pages.first
        #expect(result?.isClosed == true)
        #expect(result?.pairs == 2)
    }

    // MARK: Collaborators

    @Test func `a collaborator that is called twice is a difference`() async throws {
        func page(_ calls: Int) -> Page {
            calling("counter") { results in for _ in 0..<calls { try await results.from("mail") {} } }
        }
        let found = causes(try await compare([page(1)], [page(2)]))
        #expect(found.contains("counter 1 pressed, collaborators: mail, now mail, mail"))
        #expect(causes(try await compare([page(2)], [page(2)])) == [])
    }

    @Test(arguments: [false, true])
    func `a result of an unknown type leaves the page open until it has examples`(isOptional: Bool) async throws {
        func page(_ examples: ResultExamples...) -> Page {
            calling("offer", examples: examples) { results in
                if isOptional {
                    _ = try await results.from("offers") { Offer?.some(Offer(price: 1)) }
                } else {
                    _ = try await results.from("offers") { Offer(price: 1) }
                }
            }
        }
        let report = try await compare([page()], [page()])
        #expect(report.pages.first?.untried.keys.sorted() == [.results("offers")])
        #expect(report.pages.first?.isClosed == false)
        #expect(try await isClosed(page(ResultExamples("offers", [Offer(price: 2)]))) == true)
    }

    @Test func `results of two types of one collaborator are tried where each is called`() async throws {
        func page(_ limit: Int) -> Page {
            let examples = [ResultExamples("shop", [nil, "pen"]), ResultExamples("shop", [Offer(price: 2)])]
            return Page("shop", resultExamples: examples) {
                let results = $0.results
                return Scripted(
                    Shop(
                        limit: limit,
                        name: { try await results.from("shop") { String?.none } },
                        offer: { try await results.from("shop") { Offer?.none } }
                    )
                )
            }
        }
        #expect(try await isClosed(page(1)) == true)
        let found = causes(try await compare([page(1)], [page(3)]))
        #expect(found == ["shop 2 pressed, command: render isDear, other value"])
    }

    @Test(arguments: TimeForm.allCases)
    func `times in examples of results move with the clock of the search`(form: TimeForm) async throws {
        func page(_ limit: Int) -> Page {
            Page("ticket", resultExamples: [form.examples]) { context in
                let results = context.results
                return Scripted(Ticket(limit: limit) { try await form.end(results) })
            }
        }
        #expect(try await isClosed(page(2)) == true)
        let report = try await compare([page(2)], [page(3)])
        let group = try #require(report.pages.first?.differences.first)
        #expect(group.steps.map(\.event) == ["taken", "ended", "taken", "ended"])
        #expect(group.steps.map(\.wait) == [0, 120_000, 0, 120_000])
        let results = group.recordedEvents[2]["answers"]?.array?.filter { $0["from"] == "end" }
        #expect(results == [["from": "end", "answer": form.value(1_803_893_640_123)]])
    }

    // MARK: What was not reached

    @Test func `a page is not closed if a declared outcome was reached in no version`() async throws {
        func page(_ name: String?) -> Page { Page("claim") { Scripted(Claim(identity: $0.identity, shown: name)) } }
        let alone = try #require(try await compare([page("a")], [page("b")], user: nil).pages.first)
        #expect(alone.differences.isEmpty)
        #expect(alone.untried == [:])
        #expect(!alone.isClosed)
        #expect(alone.unreached.map(\.name) == ["render name"])
        // With a user, the change is found.
        let withUser = try await compare([page("a")], [page("b")])
        #expect(causes(withUser) == ["claim 1 claimed, command: render name, other value"])
        #expect(try await isClosed(page("a")) == true)
        // One version is enough.
        #expect(try await compare([page("a")], [page(nil)]).pages.first?.unreached == [])
    }

    @Test func `events are compared for the user who has logged in`() async throws {
        func pages(_ name: String) -> [Page] {
            Self.bundled().filter { $0.name == "login" } + [
                Page("claim") { Scripted(Claim(identity: $0.identity, shown: name)) }
            ]
        }
        let report = try await compare(pages("a"), pages("b"))
        #expect(causes(report) == ["claim 2 claimed, command: render name, other value"])
        #expect(report.pages.last?.differences.map(\.user) == [nil])
        #expect(report.pages.last?.differences.first?.steps.map(\.page) == ["login", "claim"])
    }

    @Test func `events that neither version can run leave the page open`() async throws {
        let programs = (0..<2).map { _ in EndingProgram([Page("sum", Sum())]) }
        let result = try await Comparison(old: programs[0], new: programs[1]).run().pages.first
        #expect(result?.untried == [.stopped("it ended with signal 4"): 1])
        #expect(result?.isClosed == false)
    }

    // MARK: Causes

    @Test func `differences with one cause are one group, and those with others are not`() async throws {
        func message(_ field: String?) -> Message { Message(code: "a", text: "A", field: field) }
        let old = Self.bundled(failures: 2) + [MessagePage.page("coupon", message("code"))]
        let new = Self.bundled(normaliser: HyphenNormaliser()) + [MessagePage.page("coupon", message("coupon"))]
        let report = try await compare(old, new, only: ["login", "register", "coupon"])
        #expect(report.causes.compactMap(\.first?.page).sorted() == ["coupon", "login", "register"])
        let logins = try #require(report.causes.first { $0.first?.page == "login" })
        #expect(logins.count > 1)
        #expect(logins.first?.cause == "updates: no update, now lockEnded of page login in 15 min")
    }

    // MARK: Limits

    @Test func `a search that takes too long ends, and lists what it has not tried`() async throws {
        var limits = Comparison.Limits()
        limits.duration = .zero
        let pages = [Page("sum", Sum()), Page("box") { _ in Scripted(Box<Filled>()) }]
        let report = try await compare(pages, pages, limits: limits)
        // With and without a user.
        #expect(report.pages.map(\.untried) == [[.time: 2], [.time: 2]])
        #expect(report.pages.allSatisfy { !$0.isClosed })
    }

    @Test func `a page with any number of states is not closed`() async throws {
        var limits = Comparison.Limits()
        limits.depth = 3
        let page = Page("sum", Sum())
        let deep = try await compare([page], [page], limits: limits)
        #expect(deep.pages.first?.isClosed == false)
        #expect(deep.pages.first?.untried.keys.sorted() == [.depth])
        limits.pairs = 2
        limits.depth = 12
        #expect(try await compare([page], [page], limits: limits).pages.first?.untried.keys.sorted() == [.pairs])
    }

    // MARK: Sessions of the old version

    @Test func `a state that the new version reads as another is a difference`() async throws {
        let old = Page("box") { _ in Scripted(Box<Filled>()) }
        let new = Page("box") { _ in Scripted(Box<Renamed>()) }
        #expect(causes(try await compare([old], [new])).contains { $0.hasPrefix("box 2 shown, saved session: ") })
        #expect(causes(try await compare([old], [old])) == [])
    }
}

/// Ends in each event.
private final class EndingProgram: SteppedProgram {
    let step: ApplicationStep

    init(_ pages: [Page]) { step = ApplicationStep(pages) }

    func send(_ request: Value.Object) -> () async throws -> Value.Object {
        request["describe"] == nil ? { ["stopped": "it ended with signal 4"] } : step.send(request)
    }
}

/// Sends clients to the login, and users to nowhere.
private struct Claim: Script {
    static let name = Output<String>("name")
    static let events: Events = [
        .default("claimed", gives: [.renders(name), .goes(to: .login)]) { controller in
            guard controller.identity.user != nil else { return controller.goToPage(.login) }
            if let shown = controller.shown { controller.render(name, shown) }
        }
    ]

    let identity: any Identity
    let shown: String?
}

/// Asks for a name, and from then on for an offer, which it shows as dear from a limit.
private struct Shop: Script {
    static let isDear = Output<Bool>("isDear")
    static let events: Events = [
        .default("pressed", gives: [.renders(isDear)]) { shop in
            if shop.state {
                if let offer = try await shop.offer() { shop.render(isDear, offer.price >= shop.limit) }
            } else {
                shop.state = try await shop.name() != nil
            }
        }
    ]
    /// Whether it has a name.
    static let initial = false

    let limit: Int
    let name: () async throws -> String?
    let offer: () async throws -> Offer?
}

/// Stores an amount that could be a number of seconds since 2001, and the time of the last event, which makes no difference.
private struct Till: Script {
    static let events: Events = [.default("opened") { $0.state.last = $0.clock.now }]
    static let initial = State()

    struct State: Codable, Sendable {
        var cents = 700_000_000
        var last: Timestamp?
    }

    let clock: any WallClock
}

private struct Offer: Codable, Sendable {
    let price: Int
}

/// Opens again only some time after it was opened. Stores the time as a timestamp or as a date.
struct Door: Script {
    static let isOpen = Output<Bool>("isOpen")
    static let events: Events = [
        .default("opened", gives: [.renders(isOpen)]) { door in
            let now = door.clock.now
            if let last = door.state.time, now < last + .seconds(door.seconds) { return door.render(isOpen, false) }
            if door.storesDate {
                door.state.date = Date(timeIntervalSince1970: Double(now.milliseconds) / 1000)
            } else {
                door.state.timestamp = now
            }
            door.render(isOpen, true)
        }
    ]
    static let initial = State()

    struct State: Codable, Sendable {
        var timestamp: Timestamp?
        var date: Date?

        var time: Timestamp? { timestamp ?? date.map(Timestamp.init) }
    }

    let clock: any WallClock
    let seconds: Int
    var storesDate = false
}

private struct MessagePage: Script {
    static let message = Output<Message>("message")
    static let events: Events = [
        .default("pressed", reads: Field<String>("code"), gives: [.rendersAnyMessage(in: message)]) { controller, _ in
            controller.render(message, controller.rejection)
        }
    ]

    static func page(_ name: String, _ rejection: Message) -> Page {
        Page(name) { _ in Scripted(MessagePage(rejection: rejection)) }
    }

    let rejection: Message
}

/// Calls a collaborator.
struct Caller: Script {
    static let events: Events = [.default("pressed") { try await $0.call() }]

    let call: () async throws -> Void
}

/// How a collaborator of a test returns a time.
enum TimeForm: CaseIterable {
    case timestamp, date, text

    fileprivate var examples: ResultExamples { ResultExamples("end") { now in [value(now.milliseconds + 120_000)] } }

    /// The time as a recording contains it.
    func value(_ milliseconds: Int64) -> Value {
        switch self {
        case .timestamp: Value(Int(milliseconds))
        case .date: Value(Double(milliseconds - 978_307_200_000) / 1000)
        case .text: .string("\(Timestamp.ms(milliseconds))")
        }
    }

    /// The result of the collaborator.
    fileprivate func end(_ results: PageContext.Results) async throws -> Timestamp {
        switch self {
        case .timestamp: try await results.from("end") { Timestamp.ms(0) }
        case .date: Timestamp(try await results.from("end") { Date() })
        case .text: Timestamp(try await results.from("end") { "" }) ?? .ms(0)
        }
    }
}

extension Timestamp {
    fileprivate init(_ date: Date) { self.init(milliseconds: Int64((date.timeIntervalSince1970 * 1000).rounded())) }
}

/// Ends when its collaborator says, and shows when that has happened often.
private struct Ticket: Script {
    static let isUsed = Output<Bool>("isUsed")
    static let events: Events = [
        .default("taken") { $0.state.end = try await $0.end() },
        .wake("ended", at: { $0.state.end }, gives: [.renders(isUsed)]) { ticket in
            ticket.state.end = nil
            ticket.state.count = min(3, ticket.state.count + 1)
            ticket.render(isUsed, ticket.state.count >= ticket.limit)
        },
    ]
    static let initial = State()

    struct State: Codable, Sendable {
        var end: Timestamp?
        var count = 0
    }

    let limit: Int
    let end: () async throws -> Timestamp
}

private struct Sum: Script {
    static let events: Events = [.default("pressed") { $0.state += 1 }]
    static let initial = 0
}

/// Shows how often it was filled, which its state contains under some name.
private struct Box<State: Count>: Script {
    static var events: Events {
        let count = Output<Int>("count")
        return [
            .default("filled") { $0.state.count = min(2, $0.state.count + 1) },
            .event("shown", gives: [.renders(count)]) { $0.render(count, $0.state.count) },
        ]
    }
    static var initial: State { State() }
}

private protocol Count: Codable, Sendable {
    var count: Int { get set }
    init()
}

private struct Filled: Count {
    var count = 0
}

private struct Renamed: Count {
    var count = 0

    enum CodingKeys: String, CodingKey {
        case count = "number"
    }
}

/// Sets a value of the session, and a timer that is due at once.
private struct Bell: Script {
    static let events: Events = [
        .default("pressed") {
            $0.rung.value = 1
            $0.state = $0.clock.now
        },
        .wake("rang", at: { $0.state }) { $0.state = nil },
    ]
    static let initial = Timestamp?.none

    let clock: any WallClock
    let rung: Shared<Int>
}

/// Shows whether the bell was rung.
private struct Sign: Script {
    static let text = Output<String>("text")
    static let events: Events = [
        .default("shown", gives: [.renders(text)]) { $0.render(text, $0.rung.value == 1 ? $0.rungText : "silent") }
    ]

    let rung: Shared<Int>
    let rungText: String
}
