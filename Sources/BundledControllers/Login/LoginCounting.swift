package import BusinessLogic

/// What the logic of login screens has in common: the count of failures, and its limit.
package protocol LoginCounting: BusinessLogicController where State == LoginAttempts {
    /// Returns the time, by which the limit ends.
    var clock: any WallClock { get }
    /// The number of allowed failures, and how long further attempts are rejected.
    var limit: LoginAttempts.Limit { get }
}

extension LoginCounting {
    /// Checks credentials, unless too many were wrong before. Counts and shows a failure.
    ///
    /// - Parameter check: returns `nil` for a failure. If it throws, nothing counts.
    func counted<Result>(_ check: () async throws -> Result?) async throws -> Result? {
        guard !state.areExhausted(limit, at: clock.now) else {
            showAlert(.tooManyLoginAttempts)
            return nil
        }
        guard let result = try await check() else {
            state.addFailure(at: clock.now)
            render(LoginBusinessLogicController.message, .wrongCredentials)
            return nil
        }
        state = LoginAttempts()
        return result
    }

    func endLock() {
        state = LoginAttempts()
        render(LoginBusinessLogicController.message, .loginAllowed)
    }
}
