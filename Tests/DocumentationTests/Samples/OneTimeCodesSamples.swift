import Accounts
import BusinessLogic
import Testing
import UnderstudyTesting

/// The sample about one-time codes of Accounts' documentation.
@Suite struct OneTimeCodesSamples {
    @Test func `a code is accepted once`() {
        let (clock, typed) = (ManualClock(), "000000")
        var lastStep: Int?
        let secret = OneTimeCodeSecret.random()
        let picture = secret.qrCode(of: "lisa@rules.example", issuer: "The shop")
        // Later, with what the account has stored
        if let step = secret.step(of: typed, at: clock.now, after: lastStep) {
            lastStep = step
        }
        #expect(picture?.hasPrefix("<svg") == true)
        #expect(secret.step(of: typed, at: clock.now, after: lastStep) == nil)
    }
}
