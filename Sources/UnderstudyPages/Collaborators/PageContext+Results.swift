import HTTPMessages

extension PageContext {
    /// Records the results of your own collaborators.
    ///
    /// If the session is recorded, the recording stores the results. A replay returns the recorded results, and calls no
    /// collaborator. Otherwise, each call goes directly to the collaborator.
    ///
    /// Write a wrapper for your own protocol:
    ///
    /// ```swift
    /// struct RecordedCoupons: CouponStoring {
    ///     let coupons: any CouponStoring
    ///     let results: PageContext.Results
    ///
    ///     func discount(of code: String) async throws -> Int? {
    ///         try await results.from("coupons") { try await coupons.discount(of: code) }
    ///     }
    /// }
    /// ```
    ///
    /// The name identifies the collaborator in the recording. A replay returns the results of a name in the recorded order, so
    /// collaborators that run at the same time need different names. Do not use the names of `PageContext.recorded` for another
    /// collaborator: `accounts`, `clock`, `credentials`, `passwordPolicy`, `personSaving`, `random`, `repository`,
    /// `sessionKey`, `userIDs`.
    ///
    /// Results are recorded as JSON, with integers as `Int`. A result that JSON cannot contain, or whose type has changed, is
    /// missing in the replay. A result must not contain a secret, because the recording contains it. Arguments are not recorded. A
    /// redacted recording contains redacted results. Their numbers are 0, except those of the clock and of random sources.
    ///
    /// Call it only while your controller handles an event. Any number of tasks may use it at the same time.
    public struct Results: Sendable {
        let log: CollaboratorLog?

        /// The result of an asynchronous collaborator that may throw.
        ///
        /// - Parameters:
        ///   - collaborator: the collaborator's name.
        ///   - call: calls the collaborator.
        /// - Throws: what `call` throws. A replay throws `CollaboratorError` and `CancellationError` as recorded, and any other
        ///   error as ``CollaboratorFailure``. If the recording contains no further result, the replay throws, and reports
        ///   this call as the difference.
        public func from<Output: Codable & Sendable>(
            _ collaborator: String,
            _ call: () async throws -> Output
        ) async throws -> Output {
            guard RequestTrace.isTracing else { return try await result(of: collaborator, call) }
            return try await RequestTrace.measure(.collaborator, collaborator) {
                try await result(of: collaborator, call)
            }
        }

        private func result<Output: Codable & Sendable>(
            of collaborator: String,
            _ call: () async throws -> Output
        ) async throws -> Output {
            guard let log else { return try await call() }
            return try await log.result(of: collaborator, call)
        }

        /// Calls an asynchronous collaborator that may throw and returns nothing. Success is recorded as `true`.
        ///
        /// - Parameters:
        ///   - collaborator: the collaborator's name.
        ///   - call: calls the collaborator.
        /// - Throws: as for a collaborator that returns a value.
        public func from(_ collaborator: String, _ call: () async throws -> Void) async throws {
            _ = try await from(collaborator) {
                try await call()
                return true
            }
        }

        /// The result of a synchronous collaborator.
        ///
        /// - Parameters:
        ///   - collaborator: the collaborator's name.
        ///   - fallback: the value to return if the recording contains no further result. The replay reports this call as the
        ///     difference.
        ///   - call: calls the collaborator.
        public func from<Output: Codable & Sendable>(
            _ collaborator: String,
            else fallback: Output,
            _ call: () -> Output
        ) -> Output {
            guard let log else { return call() }
            return log.result(of: collaborator, else: fallback, call)
        }
    }
}
