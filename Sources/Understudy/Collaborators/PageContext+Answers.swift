extension PageContext {
    /// What collaborators answer: noted where a session is recorded, and given from there, without asking them, where the
    /// recording is replayed. Anywhere else they are asked, and that is all.
    ///
    /// For a protocol of one's own, a wrapper asks through it:
    ///
    /// ```swift
    /// struct RecordedCoupons: CouponStoring {
    ///     let coupons: any CouponStoring
    ///     let answers: PageContext.Answers
    ///
    ///     func discount(of code: String) async throws -> Int? {
    ///         try await answers.from("coupons") { try await coupons.discount(of: code) }
    ///     }
    /// }
    /// ```
    ///
    /// A collaborator's name is how the recording calls it. Answers of one name are replayed in the order in which they came,
    /// so that those asked at the same time need names of their own. The names that `PageContext.recorded` uses are names
    /// like any other, so that another collaborator should not have them: `accounts`, `clock`, `credentials`, `passwordPolicy`,
    /// `personSaving`, `random`, `repository`, `userIDs`.
    ///
    /// Answers are recorded as JSON, with integers as `Int` has them: what that cannot hold is missing in the replay, as is
    /// an answer of a type that has changed. What a collaborator is asked is not recorded, but what it answers is, so that
    /// no answer may be a secret. Where the recording is redacted, so are the answers: their numbers are 0, those of the clock
    /// and of chance excepted.
    ///
    /// For what is asked while an event is handled. May be asked by any number of tasks at once.
    public struct Answers: Sendable {
        let log: CollaboratorLog?

        /// The answer of a collaborator that may wait and fail.
        ///
        /// - Parameters:
        ///   - collaborator: its name.
        ///   - ask: asks it.
        /// - Throws: what `ask` throws. In a replay: `CollaboratorError` and `CancellationError` as they were, any other error
        ///   as ``Recording/Failure/other``, and an error where no answer is left, which the replay reports as the difference.
        public func from<Answer: Codable & Sendable>(
            _ collaborator: String,
            _ ask: () async throws -> Answer
        ) async throws -> Answer {
            guard let log else { return try await ask() }
            return try await log.answer(collaborator, ask)
        }

        /// Asks a collaborator that may wait and fail, and has nothing to answer; recorded as `true`.
        ///
        /// - Parameters:
        ///   - collaborator: its name.
        ///   - ask: asks it.
        /// - Throws: as where there is an answer.
        public func from(_ collaborator: String, _ ask: () async throws -> Void) async throws {
            _ = try await from(collaborator) {
                try await ask()
                return true
            }
        }

        /// The answer of a collaborator that answers at once.
        ///
        /// - Parameters:
        ///   - collaborator: its name.
        ///   - fallback: the answer in a replay where none is left, which the replay reports as the difference.
        ///   - ask: asks it.
        public func from<Answer: Codable & Sendable>(
            _ collaborator: String,
            else fallback: Answer,
            _ ask: () -> Answer
        ) -> Answer {
            guard let log else { return ask() }
            return log.answer(collaborator, else: fallback, ask)
        }
    }
}
