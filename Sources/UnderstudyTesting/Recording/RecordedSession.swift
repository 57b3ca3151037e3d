#if canImport(Understudy)
    public import BusinessLogic
    public import Understudy

    /// The screens of a recorded session. Its collaborators return the recorded results.
    ///
    /// ```swift
    /// let session = RecordedSession(Page.bundled())
    /// session.results = [.from("clock", 1_700_000_000_000), .from("credentials", ["username": "batman"])]
    /// try await session["login"].send("loginButtonPressed", ["username": "batman", "password": "erased"])
    /// session["login"].expect(.goToPage("Home"))
    /// session.finish()
    /// ```
    ///
    /// `understudy replay --emit-test` writes such tests. The collaborators that a page passes through `recorded` of its
    /// ``/Understudy/PageContext`` return the recorded results. Other collaborators are called as they are. Only one task at a time
    /// may use a session.
    public final class RecordedSession {
        private let log: CollaboratorLog
        private let screens: Screens
        private let origin: CallSite

        /// Creates a session of pages.
        public init(
            _ pages: [Page],
            fileID: StaticString = #fileID,
            filePath: StaticString = #filePath,
            line: UInt = #line,
            column: UInt = #column
        ) {
            log = CollaboratorLog(isReplaying: true)
            origin = CallSite(fileID, filePath, line, column)
            screens = Screens(pages, origin, log: log)
        }

        /// The result of one call of a collaborator.
        public struct CollaboratorResult: Sendable {
            fileprivate let entry: CollaboratorLog.Entry

            /// A recorded value that the collaborator with that name returned.
            public static func from(_ collaborator: String, _ value: Value) -> CollaboratorResult {
                CollaboratorResult(entry: CollaboratorLog.Entry(collaborator, .success(value)))
            }

            /// A recorded error that the collaborator with that name threw.
            public static func from(_ collaborator: String, throws error: any Error) -> CollaboratorResult {
                CollaboratorResult(entry: CollaboratorLog.Entry(collaborator, .failure(CollaboratorFailure(error))))
            }
        }

        /// The results of the next calls of the collaborators. Each is returned once.
        public var results: [CollaboratorResult] = [] {
            didSet {
                failIfResultIsMissing()
                log.put(results.map(\.entry))
            }
        }

        /// The screen of the page with that name.
        ///
        /// - Precondition: the session has such a page.
        public subscript(page: String) -> TestControllable {
            screens[page]
        }

        /// Fails the test if there are unexpected commands, or if a collaborator had no result for a call. Call it at the end of a
        /// test.
        public func finish() {
            failIfResultIsMissing()
            screens.finish()
        }

        private func failIfResultIsMissing() {
            if let missing = log.missing.first { origin.fail("\(missing)") }
        }
    }
#endif
