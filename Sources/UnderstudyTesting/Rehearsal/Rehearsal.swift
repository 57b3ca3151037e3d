#if canImport(Understudy)
    internal import BusinessLogic
    internal import Foundation
    internal import MicroHTTP
    internal import ScreenTesting
    public import Understudy
    internal import UnderstudyClient

    /// A mode in which a scenario runs. A test runs the same scenario in each mode, and must pass in all of them:
    ///
    /// ```swift
    /// @Test(arguments: Rehearsal.allCases)
    /// func `the correct password leads to Home`(rehearsal: Rehearsal) async throws {
    ///     let page = Page("login") {
    ///         LoginBusinessLogicController(credentials: credentials, clock: clock, identity: $0.identity)
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

        /// Runs a scenario on one page, with a new controller in a new session. Commands that the scenario does not expect fail the
        /// test.
        ///
        /// - Throws: what the scenario throws; ``/MicroHTTP/ServerError`` if there is no free port.
        public func run(
            _ page: Page,
            fileID: StaticString = #fileID,
            filePath: StaticString = #filePath,
            line: UInt = #line,
            column: UInt = #column,
            _ scenario: (TestControllable) async throws -> Void
        ) async throws {
            try await run([page], CallSite(fileID, filePath, line, column)) { try await scenario($0[page]) }
        }

        /// Runs a scenario on several pages of one new session. Commands that the scenario does not expect fail the test.
        ///
        /// - Throws: what the scenario throws; ``/MicroHTTP/ServerError`` if there is no free port.
        public func run(
            _ pages: [Page],
            fileID: StaticString = #fileID,
            filePath: StaticString = #filePath,
            line: UInt = #line,
            column: UInt = #column,
            _ scenario: (Screens) async throws -> Void
        ) async throws {
            try await run(pages, CallSite(fileID, filePath, line, column), scenario)
        }

        private func run(_ pages: [Page], _ origin: CallSite, _ scenario: (Screens) async throws -> Void) async throws {
            switch self {
            case .inProcess:
                try await run(Screens(pages, origin), scenario)
            case .throughService:
                let service = UnderstudyService(pages: pages)
                try await run(pages, by: ServiceTransport(service), origin, scenario)
            case .restored:
                let service = UnderstudyService(pages: pages)
                try await run(pages, by: ServiceTransport(service, restoresSessions: true), origin, scenario)
            case .overHTTP:
                let server = try Server(configuration: .rehearsal, responder: UnderstudyService(pages: pages))
                do {
                    guard let url = URL(string: "http://\(server.address)") else { throw URLError(.badURL) }
                    try await run(pages, by: URLSessionTransport(url), origin, scenario)
                } catch {
                    await server.stop()
                    throw error
                }
                await server.stop()
            }
        }

        private func run(
            _ pages: [Page],
            by transport: any Transport,
            _ origin: CallSite,
            _ scenario: (Screens) async throws -> Void
        ) async throws {
            let session = RemoteSession(transport, retries: .never)
            try await run(Screens(pages, origin, remote: { RemoteEventable($0.name, in: session) }), scenario)
        }

        private func run(_ screens: Screens, _ scenario: (Screens) async throws -> Void) async throws {
            defer { PendingIssues.report() }
            try await scenario(screens)
            screens.finish()
        }
    }

    extension ServerConfiguration {
        /// Listens on a free port, and waits only shortly for unfinished requests when the server stops.
        fileprivate static var rehearsal: ServerConfiguration {
            var configuration = ServerConfiguration()
            configuration.port = 0
            configuration.loops = 1
            configuration.drainTimeout = .milliseconds(100)
            return configuration
        }
    }
#endif
