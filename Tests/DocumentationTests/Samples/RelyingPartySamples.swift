import Accounts
import BusinessLogic
import Testing

/// The sample of the documentation of RelyingParty.
@Suite struct RelyingPartySamples {
    @Test func `a relying party makes options, and checks the response`() {
        let response: Value = [:]
        #expect(throws: WebAuthnError.malformedResponse) {
            let shop = RelyingParty(id: "shop.example", name: "The shop", origins: ["https://shop.example"])
            let challenge = RelyingParty.challenge()
            let options = shop.creationOptions(challenge: challenge, handle: [1], name: "lisa", displayName: "Lisa")
            // PublicKeyCredential.parseCreationOptionsFromJSON(options), and the toJSON() of what it creates
            let passkey = try shop.passkey(from: response, challenge: challenge)
            withExtendedLifetime((options, passkey)) {}
        }
    }
}
