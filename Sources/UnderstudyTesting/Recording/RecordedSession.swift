#if canImport(Understudy)
    public import BusinessLogic
    public import Understudy

    /// The screens of a recorded session. Its collaborators give the recorded answers.
    ///
    /// ```swift
    /// let session = RecordedSession(Page.bundled())
    /// session.answers = [.from("clock", 1_700_000_000_000), .from("credentials", ["username": "batman"])]
    /// try await session["login"].send("loginButtonPressed", ["username": "batman", "password": "erased"])
    /// session["login"].expect(.goToPage("Home"))
    /// session.finish()
    /// ```
    ///
    /// `understudy replay --emit-test` writes such tests. The collaborators that a page passes through `recorded` of its
    /// ``/Understudy/PageContext`` give recorded answers. Other collaborators are called as they are. Only one task at a time
    /// may use a session.
    public final class RecordedSession {
        private let log: CollaboratorLog
        private let screens: Screens
        private let origin: CallSite

        /// A new session with those pages.
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

        /// The answer of a collaborator to one call.
        public struct Answer: Sendable {
            fileprivate let answer: CollaboratorLog.Answer

            /// A recorded answer of the collaborator with that name.
            public static func from(_ collaborator: String, _ answer: Value) -> Answer {
                Answer(answer: CollaboratorLog.Answer(collaborator, .success(answer)))
            }

            /// A recorded error of the collaborator with that name.
            public static func from(_ collaborator: String, throws error: any Error) -> Answer {
                Answer(answer: CollaboratorLog.Answer(collaborator, .failure(CollaboratorFailure(error))))
            }
        }

        /// The answers to the next calls of the collaborators. Each answer is given once.
        public var answers: [Answer] = [] {
            didSet {
                expectAnswers()
                log.put(answers.map(\.answer))
            }
        }

        /// The screen of the page with that name.
        ///
        /// - Precondition: the session has such a page.
        public subscript(page: String) -> TestControllable {
            screens[page]
        }

        /// Fails the test if there are unexpected commands, or if a collaborator had no answer for a call. Call it at the end of a
        /// test.
        public func finish() {
            expectAnswers()
            screens.finish()
        }

        private func expectAnswers() {
            if let missing = log.missing { origin.fail("\(missing)") }
        }
    }
#endif
