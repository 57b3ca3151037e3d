#if canImport(Understudy)
    internal import BusinessLogic
    internal import Foundation
    internal import MicroHTTP
    public import Understudy
    internal import UnderstudyClient

    /// The ways in which a scenario is played. Written once, it has to come out the same in each:
    ///
    /// ```swift
    /// @Test(arguments: Rehearsal.allCases)
    /// func `the right password leads Home`(rehearsal: Rehearsal) async throws {
    ///     let page = Page("login") {
    ///         LoginBusinessLogicController(credentials: credentials, clock: clock, identity: $0.identity)
    ///     }
    ///     try await rehearsal.play(page) { screen in
    ///         try await screen.send("loginButtonPressed", ["username": "batman", "password": "bruce"])
    ///         screen.expect(.goToPage("Home"))
    ///     }
    /// }
    /// ```
    public enum Rehearsal: String, CaseIterable, Sendable {
        /// The screen drives the controller itself.
        case inProcess
        /// The screen drives an ``/Understudy/UnderstudyService`` in process: requests and answers, sessions and JSON,
        /// but no socket.
        case throughAdapter
        /// The same, and after each event the session is taken out, encoded, decoded and put back: what the page remembers has
        /// to be in its controller's state.
        case restored
        /// The screen drives a server on a free port of this machine.
        case overHTTP

        /// Plays a scenario on one page, with a new controller in a new session.
        ///
        /// - Throws: what the scenario throws, or ``/MicroHTTP/ServerError`` where there is no port to be had.
        public func play(
            _ page: Page,
            fileID: StaticString = #fileID,
            filePath: StaticString = #filePath,
            line: UInt = #line,
            column: UInt = #column,
            _ scenario: (TestControllable) async throws -> Void
        ) async throws {
            let origin = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
            try await play([page], origin) { try await scenario($0[page]) }
        }

        /// Plays a scenario on several pages of one session.
        ///
        /// - Throws: what the scenario throws, or ``/MicroHTTP/ServerError`` where there is no port to be had.
        public func play(
            _ pages: [Page],
            fileID: StaticString = #fileID,
            filePath: StaticString = #filePath,
            line: UInt = #line,
            column: UInt = #column,
            _ scenario: (Screens) async throws -> Void
        ) async throws {
            let origin = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
            try await play(pages, origin, scenario)
        }

        private func play(_ pages: [Page], _ origin: CallSite, _ scenario: (Screens) async throws -> Void) async throws
        {
            switch self {
            case .inProcess:
                let identity = SessionIdentity(user: nil)
                try await play(
                    Screens(pages, origin, identity: identity) { $0.make(PageContext(identity: identity)) },
                    scenario
                )
            case .throughAdapter:
                let service = UnderstudyService(pages: pages)
                try await play(pages, by: ServiceTransport(service), origin, scenario)
            case .restored:
                let service = UnderstudyService(pages: pages)
                try await play(pages, by: ServiceTransport(service, restoresSessions: true), origin, scenario)
            case .overHTTP:
                let server = try Server(configuration: .rehearsal, responder: UnderstudyService(pages: pages))
                do {
                    guard let url = URL(string: "http://\(server.address)") else { throw URLError(.badURL) }
                    try await play(pages, by: URLSessionTransport(url), origin, scenario)
                } catch {
                    await server.stop()
                    throw error
                }
                await server.stop()
            }
        }

        private func play(
            _ pages: [Page],
            by transport: any Transport,
            _ origin: CallSite,
            _ scenario: (Screens) async throws -> Void
        ) async throws {
            let session = RemoteSession(transport, retries: .never)
            try await play(Screens(pages, origin) { RemoteEventable($0.name, in: session) }, scenario)
        }

        private func play(_ screens: Screens, _ scenario: (Screens) async throws -> Void) async throws {
            defer { PendingIssues.report() }
            try await scenario(screens)
            screens.finish()
        }
    }

    extension ServerConfiguration {
        /// A free port, and no wait for what a test has left behind.
        fileprivate static var rehearsal: ServerConfiguration {
            var configuration = ServerConfiguration()
            configuration.port = 0
            configuration.loops = 1
            configuration.drainTimeout = .milliseconds(100)
            return configuration
        }
    }
#endif
