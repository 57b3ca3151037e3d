#if canImport(Understudy)
    public import BusinessLogic
    internal import Foundation
    internal import MicroHTTP
    public import Understudy
    internal import UnderstudyClient

    /// A mode in which a scenario runs. A test runs the same scenario in each mode, and must pass in all of them:
    ///
    /// ```swift
    /// @Test(arguments: Rehearsal.allCases)
    /// func `the correct password leads to Home`(rehearsal: Rehearsal) async throws {
    ///     let page = Page("login") {
    ///         LoginBusinessLogicController(
    ///             credentials: $0.recorded(credentials),
    ///             clock: $0.recorded(clock),
    ///             identity: $0.identity
    ///         )
    ///     }
    ///     try await rehearsal.run(page) { screen in
    ///         try await screen.send("loginButtonPressed", ["username": "batman", "password": "bruce"])
    ///         screen.expect(.goToPage("Home"))
    ///     }
    /// }
    /// ```
    public enum Rehearsal: String, CaseIterable, Sendable {
        /// The screen calls the controller directly.
        case inProcess
        /// The screen calls an ``/Understudy/UnderstudyService`` in the same process: with requests, responses, sessions and
        /// JSON, but without a socket.
        case throughService
        /// As ``throughService``, but the session is saved and restored after each event. So a controller must keep all of its data
        /// in its state.
        case restored
        /// The screen calls a server on a free local port.
        case overHTTP
        /// As ``throughService``, but the session is recorded. When the scenario has ended, the recording is replayed. So a controller must
        /// receive its collaborators through its page's ``/Understudy/PageContext``, and must not examine secret values itself.
        /// Otherwise, no bug report about the page can be replayed.
        case replayed

        /// Runs a scenario on one page, with a new controller in a new session. Commands that the scenario does not expect fail the
        /// test.
        ///
        /// - Parameters: as in ``run(_:topics:clock:fileID:filePath:line:column:_:)-([Page],_,_,_,_,_,_,_)``.
        /// - Throws: what the scenario throws; ``/MicroHTTP/ServerError`` if there is no free port.
        public func run(
            _ page: Page,
            topics: Topics = Topics(),
            clock: ManualClock = ManualClock(),
            fileID: StaticString = #fileID,
            filePath: StaticString = #filePath,
            line: UInt = #line,
            column: UInt = #column,
            _ scenario: (TestControllable) async throws -> Void
        ) async throws {
            let origin = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
            try await run([page], topics, clock, origin) { try await scenario($0[page]) }
        }

        /// Runs a scenario on several pages of one new session. Commands that the scenario does not expect fail the test.
        ///
        /// - Parameters:
        ///   - pages: the pages.
        ///   - topics: the topics that the pages follow. Pass those that the pages' collaborators publish.
        ///   - clock: the clock that ``Screens/advance(by:)`` advances. Pass the controllers' clock.
        ///   - fileID: the file in which a failure is reported; the caller's by default.
        ///   - filePath: the path of that file.
        ///   - line: the line in that file.
        ///   - column: the column in that line.
        ///   - scenario: sends events, and expects commands.
        /// - Throws: what the scenario throws; ``/MicroHTTP/ServerError`` if there is no free port.
        public func run(
            _ pages: [Page],
            topics: Topics = Topics(),
            clock: ManualClock = ManualClock(),
            fileID: StaticString = #fileID,
            filePath: StaticString = #filePath,
            line: UInt = #line,
            column: UInt = #column,
            _ scenario: (Screens) async throws -> Void
        ) async throws {
            let origin = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
            try await run(pages, topics, clock, origin, scenario)
        }

        private func run(
            _ pages: [Page],
            _ topics: Topics,
            _ clock: ManualClock,
            _ origin: CallSite,
            _ scenario: (Screens) async throws -> Void
        ) async throws {
            guard self != .inProcess else { return try await run(Screens(pages, origin, topics, clock), scenario) }
            var configuration = ServiceConfiguration()
            configuration.topics = topics
            configuration.clock = clock
            // A scenario may advance the clock by any duration.
            configuration.sessions.idle = .seconds(1 << 40)
            configuration.sessions.lifetime = .seconds(1 << 40)
            let recordings = self == .replayed ? try ReplayedRecordings() : nil
            configuration.recording = recordings?.folder
            let service = UnderstudyService(pages: pages, configuration: configuration)
            func play(_ transport: any Transport) async throws {
                let session = RemoteSession(transport, retries: .never)
                let end = {
                    try await session.end()
                    await service.runSessionEndHooks()
                }
                let screens = Screens(pages, origin, topics, clock, endingSession: end) {
                    RemoteEventable($0.name, in: session)
                }
                try await run(screens, scenario)
            }
            guard self == .overHTTP else {
                var transport = ServiceTransport(service)
                transport.restoresSessions = self == .restored
                try await play(transport)
                try await recordings?.replay(on: pages, origin)
                return
            }
            var engine = ServerConfiguration()
            // A free port, and only a short time for unfinished requests when the server stops.
            (engine.port, engine.loops, engine.drainTimeout) = (0, 1, .milliseconds(100))
            let server = try Server(configuration: engine, responder: service)
            do {
                guard let url = URL(string: "http://\(server.address)") else { throw URLError(.badURL) }
                try await play(URLSessionTransport(url))
            } catch {
                await server.stop()
                throw error
            }
            await server.stop()
        }

        private func run(_ screens: Screens, _ scenario: (Screens) async throws -> Void) async throws {
            try await scenario(screens)
            screens.finish()
        }
    }
#endif
