import BundledPages
import BusinessLogic
import HTTPMessages
import SessionStorage
import Synchronization
import TestSupport
import Testing
import UnderstudyTesting

@testable import Understudy
@testable import UnderstudyPages
@testable import UnderstudyReplay
@testable import UnderstudySessions

/// Events that a service hands over to an observer, and that another version runs.
@Suite struct ObservedEventTests {
    private let observer = EventCollector()

    private func service(
        _ pages: [Page],
        configure: (inout ServiceConfiguration) -> Void = { _ in }
    ) -> UnderstudyService {
        var configuration = ServiceConfiguration()
        configuration.eventObserver = observer
        configure(&configuration)
        return UnderstudyService(pages: pages, configuration: configuration)
    }

    /// What the comparison of each event with a version that has other pages finds.
    private func results(of pages: [Page], in version: [Page]) async throws -> [EventComparison.Result] {
        let comparison = EventComparison(pages)
        var results: [EventComparison.Result] = []
        for event in observer.events {
            // As JSON, as the other version receives and returns it.
            let request = try ApplicationStep.read(Value.object(comparison.request(for: event)).json)
            let output = await ApplicationStep(version).answer(request)
            results.append(try comparison.result(of: event, ApplicationStep.read(Value.object(output).json)))
        }
        return results
    }

    // MARK: The same version

    @Test func `the same version gives for each event what the service gave`() async throws {
        let pages = Page.demo()
        let client = TestClient(service(pages))
        try await client.post("/login", #"{"username": "batman", "password": "joker"}"#)
        try await client.post("/login", #"{"username": "batman"}"#)
        try await client.post("/login", #"{"username": 1, "pasword": "bruce"}"#)
        try await client.post("/login", #"{"username": "batman", "password": "bruce"}"#)
        try await client.post("/home", #"{"event": "viewDidLoad"}"#)
        try await client.post("/register", form: "userID=012345+678912")
        try await client.post("/register", #"{"userID": "1"}"#)
        try await client.post("/email", #"{"event": "viewDidLoad"}"#)
        try await client.post("/signup", #"{"event": "passwordChanged", "values": {"password": "saxophone"}}"#)
        try await client.post("/products")
        try await client.post("/product", #"{"product": "Car"}"#)
        try await client.post("/home", #"{"event": "logoutButtonPressed"}"#)
        #expect(observer.events.count == 12)
        #expect(try await results(of: pages, in: pages) == Array(repeating: .matched, count: 12))
    }

    @Test func `the results of own collaborators and of a random source are those of the service`() async throws {
        let random = SequenceRandom([0x4000_0000_0000_0000, .max, 1 << 40])
        let pages = [DiceController.page(MemoryScores(), random: random)]
        let client = TestClient(service(pages))
        for _ in 0..<3 { try await client.post("/dice", #"{"name": "Lisa"}"#) }
        let other = [DiceController.page(ForbiddenCollaborator(), random: ForbiddenCollaborator())]
        #expect(try await results(of: pages, in: other) == [.matched, .matched, .matched])
    }

    @Test func `the session's key is known to pages that have asked for it in an earlier event`() async throws {
        let pages = [TallyController.page("first"), TallyController.page("second")]
        let client = TestClient(service(pages))
        for _ in 0..<2 {
            try await client.post("/first")
            try await client.post("/second")
        }
        #expect(try await results(of: pages, in: pages) == [.matched, .matched, .matched, .matched])
    }

    @Test func `a failed event gives the same failure`() async throws {
        let pages = [FailingController.page(CollaboratorError.unavailable(retryAfter: .seconds(2)))]
        let client = TestClient(service(pages))
        try await client.post("/failing")
        #expect(try await results(of: pages, in: pages) == [.matched])
        let other = [FailingController.page(CollaboratorError.overloaded(retryAfter: .seconds(2)))]
        #expect(
            try await results(of: pages, in: other) == [
                .mismatched(cause: "command: failure unavailable, now failure overloaded")
            ]
        )
    }

    @Test func `sessions in a database are observed as well`() async throws {
        let sessions = FaultySessions()
        let pages = [TallyController.page("tally")]
        let client = TestClient(
            service(pages) {
                $0.sessionStore = sessions
                $0.sessionMode = .database
            }
        )
        try await client.post("/tally")
        // The event runs again in a session that is read from the store. Only the second run counts.
        sessions.conflicts = 1
        try await client.post("/tally")
        #expect(observer.events.count == 2)
        #expect(try await results(of: pages, in: pages) == [.matched, .matched])
    }

    @Test func `restored sessions are observed as well`() async throws {
        let store = MemorySessionStore()
        let pages = [TallyController.page("tally")]
        let first = service(pages) { $0.sessionStore = store }
        let client = TestClient(first)
        try await client.post("/tally")
        try await first.saveSessions()
        let second = service(pages) { $0.sessionStore = store }
        try await second.restoreSessions()
        let later = TestClient(second)
        later.cookie = client.cookie
        try await later.post("/tally")
        #expect(observer.events.map { $0.results.map(\.name) } == [["sessionKey", "advice"], ["advice"]])
        #expect(try await results(of: pages, in: pages) == [.matched, .matched])
    }

    @Test func `a recording of an observed session contains all results`() async throws {
        let place = RecordingDirectory()
        let pages = Page.demo()
        let recording = try place.service(pages).configuration.recording
        let client = TestClient(service(pages) { $0.recording = recording })
        try await client.post("/login", #"{"username": "batman", "password": "bruce"}"#)
        #expect(try place.recording.events.map(\.results) == observer.events.map { $0.results.map(\.entry) })
        #expect(try await results(of: pages, in: pages) == [.matched])
    }

    // MARK: Another version

    @Test func `another response is a mismatch whose cause contains no values`() async throws {
        let pages = [TallyController.page("tally")]
        let client = TestClient(service(pages))
        try await client.post("/tally")
        let other = [TallyController.page("tally", text: "secret")]
        #expect(
            try await results(of: pages, in: other) == [.mismatched(cause: "command: render text, other value")]
        )
    }

    @Test func `the cause of a mismatch does not name a field that only the client knows`() async throws {
        let pages = Page.demo()
        let client = TestClient(service(pages))
        try await client.post("/login", #"{"event": "loginButtonPressed", "values": {"hunter2": "x"}}"#)
        let event = try #require(observer.events.first)
        let comparison = EventComparison(pages)
        var output = await ApplicationStep(pages).answer(try comparison.request(for: event))
        var problem = try #require(output["problem"]?.object)
        problem["code"] = "missingField"
        output["problem"] = .object(problem)
        let result = try comparison.result(of: event, output)
        guard case .mismatched(let cause) = result else {
            Issue.record("\(result)")
            return
        }
        #expect(!cause.contains("hunter2"))
        #expect(cause.contains("(unknown field unknownField"))
    }

    @Test func `the cause of a mismatch does not name a key that the client has chosen`() async throws {
        let client = TestClient(service([WordyController.page]))
        try await client.post("/wordy", #"{"event": "say", "values": {"key": "hunter2", "count": 1}}"#)
        let event = try #require(observer.events.first)
        let comparison = EventComparison([WordyController.page])
        var output = await ApplicationStep([WordyController.page]).answer(try comparison.request(for: event))
        output["commands"] = []
        #expect(
            try comparison.result(of: event, output) == .mismatched(cause: "command: render …, now no command")
        )
    }

    @Test func `another state after an equal response is a divergence`() async throws {
        let pages = [TallyController.page("tally")]
        let client = TestClient(service(pages))
        try await client.post("/tally")
        try await client.post("/tally")
        // Each event starts from the state of the service, so that the second differs by as much as the first.
        let other = [TallyController.page("tally", step: 2)]
        #expect(
            try await results(of: pages, in: other) == [
                .diverged(cause: "state of page tally"), .diverged(cause: "state of page tally"),
            ]
        )
    }

    @Test func `a collaborator that is called more often lacks a result`() async throws {
        let pages = [TallyController.page("tally")]
        let client = TestClient(service(pages))
        try await client.post("/tally")
        let other = [TallyController.page("tally", calls: 2)]
        #expect(try await results(of: pages, in: other) == [.missing(collaborator: "advice")])
    }

    @Test func `a collaborator that is called less often is a mismatch`() async throws {
        let pages = [TallyController.page("tally")]
        let client = TestClient(service(pages))
        try await client.post("/tally")
        let other = [TallyController.page("tally", calls: 0)]
        #expect(
            try await results(of: pages, in: other) == [
                .mismatched(cause: "collaborators: 'advice' is not called, or less often")
            ]
        )
    }

    @Test func `a page that the other version lacks is a mismatch`() async throws {
        let pages = [TallyController.page("tally")]
        let client = TestClient(service(pages))
        try await client.post("/tally")
        let other = [TallyController.page("other")]
        #expect(
            try await results(of: pages, in: other) == [
                .mismatched(cause: "command: render text, now failure invalidStep")
            ]
        )
    }

    // MARK: The sample

    @Test func `no event of a session outside of the sample is observed`() async throws {
        let service = service([TallyController.page("tally")])
        let client = TestClient(service)
        observer.isSamplingSessions = false
        try await client.post("/tally")
        observer.isSamplingSessions = true
        try await client.post("/tally")
        try await TestClient(service).post("/tally")
        #expect(observer.events.count == 1)
    }

    @Test func `an event outside of the sample is not observed, and its results are not stored`() async throws {
        let service = service([TallyController.page("tally")])
        let client = TestClient(service)
        observer.isSampling = false
        try await client.post("/tally")
        observer.isSampling = true
        try await client.post("/tally")
        observer.isSampling = false
        try await client.post("/tally")
        #expect(observer.events.map { $0.results.map(\.name) } == [["advice"]])
    }

    @Test func `neither a stream nor an event whose client has left is observed`() async throws {
        let service = service([TallyController.page("tally"), FailingController.page(CancellationError())])
        let request = Request(.post, "/tally", headers: Headers([("Accept", "text/event-stream")]))
        _ = await service.respond(to: request)
        try await TestClient(service).post("/failing")
        #expect(observer.events.isEmpty)
    }

    @Test func `a request that repeats an event is not observed again`() async throws {
        let client = TestClient(service([TallyController.page("tally")]))
        try await client.post("/tally")
        try await client.post("/tally", key: "a")
        try await client.post("/tally", key: "a")
        #expect(observer.events.count == 2)
    }
}

/// Collects the events of a service.
private final class EventCollector: EventObserver {
    private let state = Mutex((isSampling: true, isSamplingSessions: true, events: [ObservedEvent]()))

    var isSampling: Bool {
        get { state.withLock { $0.isSampling } }
        set { state.withLock { $0.isSampling = newValue } }
    }

    var events: [ObservedEvent] { state.withLock { $0.events } }

    var isSamplingSessions: Bool {
        get { state.withLock { $0.isSamplingSessions } }
        set { state.withLock { $0.isSamplingSessions = newValue } }
    }

    func samplesSession() -> Bool { isSamplingSessions }

    func samplesEvent() -> Bool { isSampling }

    func observe(_ event: ObservedEvent) {
        state.withLock { $0.events.append(event) }
    }
}

/// A controller that counts, and whose versions differ in how it does so.
private final class TallyController: BusinessLogicController {
    static let text = Output<String>("text")

    static let events: EventTable<TallyController> = [
        .default("counted", gives: [.renders(text)]) { controller in
            for _ in 0..<controller.calls { _ = try await controller.results.from("advice") { 7 } }
            controller.state += controller.step
            controller.render(text, controller.shown)
        }
    ]

    weak var controllable: (any Controllable)?
    var state = 0
    private let results: PageContext.Results
    private let calls: Int
    private let step: Int
    private let shown: String

    private init(_ results: PageContext.Results, calls: Int, step: Int, shown: String) {
        self.results = results
        self.calls = calls
        self.step = step
        self.shown = shown
    }

    /// - Parameters:
    ///   - calls: how often an event calls its collaborator.
    ///   - step: by how much an event changes the state.
    ///   - text: what an event shows.
    static func page(_ name: String, calls: Int = 1, step: Int = 1, text: String = "counted") -> Page {
        Page(name) { context in
            // A page may ask for it when it is created.
            let key = context.sessionKey
            return TallyController(context.results, calls: calls, step: step, shown: "\(text) \(key.count)")
        }
    }
}
