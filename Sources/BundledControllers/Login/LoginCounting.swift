package import BusinessLogic

/// What the logic of login screens has in common: the count of failures, and its limit.
package protocol LoginCounting: BusinessLogicController where State == LoginAttempts {
    /// Returns the time, by which the limit ends.
    var clock: any WallClock { get }
    var limit: LoginAttempts.Limit { get }
}

extension LoginCounting {
    /// Counts and shows a failure, for which `check` returns `nil`. If it throws, nothing counts. After too many failures, it is not called.
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
