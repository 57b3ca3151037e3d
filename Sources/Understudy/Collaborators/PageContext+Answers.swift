extension PageContext {
    /// Records the results of your own collaborators.
    ///
    /// If the session is recorded, the results are stored in the recording. In a replay, they are taken from the recording, and
    /// the collaborators are not called. Otherwise, the collaborators are just called.
    ///
    /// Write a wrapper for your own protocol:
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
    /// The name identifies the collaborator in the recording. Results with the same name are replayed in order, so that
    /// collaborators that run at the same time need different names. Do not use the names of `PageContext.recorded` for another
    /// collaborator: `accounts`, `clock`, `credentials`, `passwordPolicy`, `personSaving`, `random`, `repository`, `userIDs`.
    ///
    /// Results are recorded as JSON, with integers as `Int`. A result that JSON cannot contain, or whose type has changed, is
    /// missing in the replay. Arguments are not recorded, but results are: a result must not contain a secret. A redacted
    /// recording contains redacted results. Their numbers are 0, except those of the clock and of random sources.
    ///
    /// Call it only while an event is handled. Any number of tasks may use it at the same time.
    public struct Answers: Sendable {
        let log: CollaboratorLog?

        /// The result of an asynchronous collaborator that may throw.
        ///
        /// - Parameters:
        ///   - collaborator: the collaborator's name.
        ///   - ask: calls the collaborator.
        /// - Throws: what `ask` throws. A replay throws `CollaboratorError` and `CancellationError` as recorded, and any other
        ///   error as ``CollaboratorFailure/other``. It throws if no result is left, which it reports as the difference.
        public func from<Answer: Codable & Sendable>(
            _ collaborator: String,
            _ ask: () async throws -> Answer
        ) async throws -> Answer {
            guard let log else { return try await ask() }
            return try await log.answer(collaborator, ask)
        }

        /// Calls an asynchronous collaborator that may throw and returns nothing. Success is recorded as `true`.
        ///
        /// - Parameters:
        ///   - collaborator: the collaborator's name.
        ///   - ask: calls the collaborator.
        /// - Throws: as for a collaborator that returns a value.
        public func from(_ collaborator: String, _ ask: () async throws -> Void) async throws {
            _ = try await from(collaborator) {
                try await ask()
                return true
            }
        }

        /// The result of a synchronous collaborator.
        ///
        /// - Parameters:
        ///   - collaborator: the collaborator's name.
        ///   - fallback: the value to return if a replay has no result left, which it reports as the difference.
        ///   - ask: calls the collaborator.
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
