import BusinessLogic
import Testing
import WebAuthn

/// The samples of WebAuthn's documentation.
@Suite struct WebAuthnSamples {
    @Test func `a relying party makes options, and checks the response`() {
        let lisa = PasskeyUser(handle: [1], name: "lisa@rules.example", displayName: "Lisa")
        let response: Value = [:]
        #expect(throws: WebAuthnError.malformedResponse) {
            let shop = RelyingParty(id: "shop.example", name: "The shop", origins: ["https://shop.example"])
            let challenge = RelyingParty.challenge()
            let options = shop.creationOptions(challenge: challenge, for: lisa)
            // PublicKeyCredential.parseCreationOptionsFromJSON(options), and the toJSON() of what it creates
            let passkey = try shop.passkey(from: response, challenge: challenge)
            withExtendedLifetime((options, passkey)) {}
        }
    }
}
