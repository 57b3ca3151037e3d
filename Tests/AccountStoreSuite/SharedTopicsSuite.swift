import Understudy

/// The behaviour of the topics of several processes that use one database.
public enum SharedTopicsSuite {
    /// A process.
    package struct Process: Sendable {
        let topics: Topics
        let shared: DatabaseTopics
        let pages: PageDatabase
        let database: any SQLDatabase
        let clock = ManualClock()

        /// - Parameter database: the process's own object of the database, which is the same for all processes.
        package init(_ database: any SQLDatabase) {
            self.database = database
            topics = Topics(clock: clock)
            shared = DatabaseTopics(database, topics, clock: clock)
            pages = PageDatabase(database, topics: shared)
        }

        /// Runs an event that publishes topics, and commits it.
        func commit(_ session: Int, version: Int = 0, publishing published: Topic...) async throws -> CommitResult {
            try await database.commit(session, version: version) { for topic in published { shared.publish(topic) } }
        }

        /// Which of the topics `slots`, `other` and `last` are published in this process while `body` runs.
        func published(during body: () async throws -> Void) async throws -> [Topic] {
            let number = topics.latest
            try await body()
            return ["slots", "other", "last"].filter { topics.havePublished([$0], after: number) }
        }

        /// Which of these topics a reading publishes in this process.
        func read() async throws -> [Topic] { try await published { try await shared.read() } }

        /// A service with the page of products, and a page that publishes them.
        func service() -> UnderstudyService {
            var configuration = ServiceConfiguration()
            configuration.clock = clock
            configuration.topics = topics
            configuration.sessionStore = database.sessions { 0 }
            configuration.sessionMode = .database
            let pages = Page.bundled(repository: DatabaseProducts(database), clock: clock)
            let shared = shared
            return UnderstudyService(
                pages: pages + [Page("publisher") { _ in ActingController { _ in shared.publish(.products) } }],
                configuration: configuration
            )
        }
    }

    /// All behaviours. Check each with two processes that use an empty database.
    package static let behaviours: [Behaviour<[Process]>] = [
        Behaviour("a topic of an event is published in all processes after the commit, and once") { processes in
            let (one, other) = (processes[0], processes[1])
            for process in processes { try await process.shared.read() }
            let here = try await one.published {
                let there = try await other.published {
                    #expect(try await one.commit(1, publishing: "slots", Topic("slots", key: "\u{1}é")) == .committed)
                    try await other.shared.read()
                }
                #expect(there == ["slots"])
            }
            #expect(here == ["slots"])
            #expect(try await other.commit(2, publishing: "other") == .committed)
            #expect(try await one.read() == ["other"])
            for process in processes { #expect(try await process.read() == []) }
        },
        Behaviour("an event that is not committed publishes nothing") { processes in
            let (one, other) = (processes[0], processes[1])
            try await other.shared.read()
            #expect(try await one.commit(1) == .committed)
            let here = try await one.published {
                let there = try await other.published {
                    #expect(try await one.commit(1, version: 7, publishing: "slots") == .conflict)
                    try await other.shared.read()
                }
                #expect(there == [])
            }
            #expect(here == [])
        },
        Behaviour("outside of an event, a topic is published at once, and soon in other processes") { processes in
            let (one, other) = (processes[0], processes[1])
            try await other.shared.read()
            let there = try await other.published {
                let number = other.topics.latest
                #expect(try await one.published { one.shared.publish("slots") } == ["slots"])
                try await waitUntil {
                    try await other.shared.read()
                    return other.topics.havePublished(["slots"], after: number)
                }
            }
            #expect(there == ["slots"])
        },
        Behaviour("the first reading publishes everything, because a process may have missed something before") {
            processes in
            let published = try await processes[0].read()
            #expect(published == ["slots", "other", "last"])
        },
        Behaviour("a publication without a name publishes everything in the other processes") { processes in
            for process in processes { try await process.shared.read() }
            #expect(try await processes[0].commit(1, publishing: "") == .committed)
            #expect(try await processes[1].read() == ["slots", "other", "last"])
            #expect(try await processes[1].read() == [])
        },
        Behaviour("publications are deleted after minutes, and a process that has not read them publishes everything") {
            processes in
            let (one, other) = (processes[0], processes[1])
            for process in processes { try await process.shared.read() }
            #expect(try await one.commit(1, publishing: "slots") == .committed)
            #expect(try await one.commit(1, version: 1, publishing: "slots") == .committed)
            one.clock.advance(by: .seconds(61))
            try await one.shared.read()
            #expect(try await other.read() == ["slots"])
            #expect(try await one.commit(1, version: 2, publishing: "slots") == .committed)
            for _ in 0..<6 {
                one.clock.advance(by: .seconds(61))
                try await one.shared.read()
            }
            #expect(try await other.read() == ["slots"])
            for version in 3..<5 {
                #expect(try await one.commit(1, version: version, publishing: "slots") == .committed)
            }
            for _ in 0..<12 {
                one.clock.advance(by: .seconds(61))
                try await one.shared.read()
            }
            #expect(try await other.read() == ["slots", "other", "last"])
        },
        Behaviour("a page shows on one server what an event on another one has changed") { processes in
            let (writer, reader) = (processes[0].service(), processes[1].service())
            for process in processes { try await process.shared.read() }
            let cookie = await send(.post, "/products", nil, to: reader).cookie
            try await processes[0].database.insert([Product(name: "Tea", description: "", image: "")])
            #expect(await !send(.get, "/products", cookie, to: reader).body.contains("Tea"))
            #expect(await send(.post, "/publisher", nil, to: writer).status == 200)
            try await processes[1].shared.read()
            #expect(await send(.get, "/products", cookie, to: reader).body.contains("Tea"))
        },
    ]

    /// Sends a request of a session, or of a new one.
    static func send(
        _ method: Method,
        _ path: String,
        _ cookie: String?,
        to service: UnderstudyService
    ) async -> (status: Int, cookie: String?, body: String) {
        let headers = cookie.map { Headers([(name: "Cookie", value: $0)]) } ?? Headers([])
        let response = await service.respond(to: Request(method, path, headers: headers))
        let field = response.headers.first { $0.name == "Set-Cookie" }?.value
        let cookie = field.flatMap { $0.split(separator: ";").first.map { String($0) } }
        return (response.status, cookie, response.body.text)
    }
}
