#if canImport(Understudy)
    public import BusinessLogic
    public import Understudy

    /// The screens of a session that was recorded, with collaborators that answer what they answered then.
    ///
    /// ```swift
    /// let session = RecordedSession(Page.bundled())
    /// session.answers = [.from("clock", 1_700_000_000_000), .from("credentials", ["username": "batman"])]
    /// try await session["login"].send("loginButtonPressed", ["username": "batman", "password": "erased"])
    /// session["login"].expect(.goToPage("Home"))
    /// session.finish()
    /// ```
    ///
    /// `understudy replay --emit-test` writes such tests. Those collaborators answer so that the pages pass through
    /// `recorded` of their ``/Understudy/PageContext``; others are asked as they are. One task at a time.
    public final class RecordedSession {
        private let log: CollaboratorLog
        private let screens: Screens
        private let origin: CallSite

        /// A session of those pages in which nothing has happened yet.
        public init(
            _ pages: [Page],
            fileID: StaticString = #fileID,
            filePath: StaticString = #filePath,
            line: UInt = #line,
            column: UInt = #column
        ) {
            let (log, identity) = (CollaboratorLog(isReplaying: true), SessionIdentity(user: nil))
            origin = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
            screens = Screens(pages, origin, identity: identity) {
                $0.make(PageContext(identity: identity, log: log))
            }
            self.log = log
        }

        /// What a collaborator answers.
        public struct Answer: Sendable {
            fileprivate let answer: CollaboratorLog.Answer

            /// The answer of that collaborator, as it is recorded.
            public static func from(_ collaborator: String, _ answer: Value) -> Answer {
                Answer(answer: CollaboratorLog.Answer(collaborator, .success(answer)))
            }

            /// That collaborator fails so.
            public static func from(_ collaborator: String, throws error: any Error) -> Answer {
                Answer(answer: CollaboratorLog.Answer(collaborator, .failure(CollaboratorFailure(error))))
            }
        }

        /// What the collaborators answer to the events from now on, each answer once.
        public var answers: [Answer] = [] {
            didSet {
                expectAnswers()
                log.put(answers.map(\.answer))
            }
        }

        /// The screen of the page of that name, which has to be one of the session's.
        public subscript(page: String) -> TestControllable {
            screens[page]
        }

        /// Expects that no command has come beside those that were expected, and that no collaborator was asked for an answer
        /// that it did not have. Call at a test's end.
        public func finish() {
            expectAnswers()
            screens.finish()
        }

        private func expectAnswers() {
            if let missing = log.missing { origin.fail("\(missing)") }
        }
    }
#endif
