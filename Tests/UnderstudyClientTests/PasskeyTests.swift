import Accounts

/// What an app sends about passkeys is what a browser would send.
struct PasskeyTests {
    let party = RelyingParty(id: "shop.example", name: "Shop", origins: ["https://shop.example"])
    let challenge = RelyingParty.challenge()

    func data(_ value: Value?) throws -> Data { Data(try #require(value?.string.flatMap { [UInt8](base64URL: $0) })) }

    /// The attestation object of an authenticator that says nothing about its make.
    func object(_ data: Data) -> Data {
        let (high, low) = (UInt8(data.count >> 8), UInt8(data.count & 255))
        let head: [UInt8] = high == 0 ? [0x58, low] : [0x59, high, low]
        let parts: [[UInt8]] = [
            [0xA3, 0x63], "fmt".bytes, [0x64], "none".bytes, [0x67], "attStmt".bytes, [0xA0, 0x68], "authData".bytes,
            head,
        ]
        return Data(parts.joined()) + data
    }

    @Test(arguments: [Authenticator.Key.es256, .rsa])
    func `a passkey of an app is created, and logs in`(_ key: Authenticator.Key) throws {
        let creationOptions = party.creationOptions(
            challenge: challenge,
            handle: [9],
            name: "lisa@rules.example",
            displayName: "Lisa",
            excluding: [[7]]
        )
        let creation = try #require(PasskeyCreationOptions(creationOptions))
        #expect(creation.relyingParty == "shop.example")
        #expect(Array(creation.challenge) == challenge)
        #expect(Array(creation.user) == [9])
        #expect(creation.userName == "lisa@rules.example")
        #expect(creation.excluded == [Data([7])])
        var authenticator = Authenticator()
        authenticator.key = key
        let created = try #require(try authenticator.registration(challenge)["response"])
        let registration = try #require(
            PasskeyResponse.registration(
                id: Data(authenticator.id),
                clientDataJSON: data(created["clientDataJSON"]),
                attestationObject: object(data(created["authenticatorData"]))
            )
        )
        let passkey = try party.passkey(from: JSONReader.read(registration.bytes), challenge: challenge)
        let options = party.requestOptions(challenge: challenge, allowing: [passkey.id])
        let request = try #require(PasskeyRequestOptions(options))
        #expect(request.allowed == [Data(authenticator.id)])
        #expect(!request.requiresUserVerification)
        var atLogin = Authenticator.atLogin
        atLogin.key = key
        let signed = try #require(try atLogin.login(challenge)["response"])
        let login = PasskeyResponse.login(
            id: Data(authenticator.id),
            clientDataJSON: try data(signed["clientDataJSON"]),
            authenticatorData: try data(signed["authenticatorData"]),
            signature: try data(signed["signature"]),
            user: try data(signed["userHandle"])
        )
        _ = try party.login(
            with: JSONReader.read(login.bytes),
            of: passkey,
            handle: [9],
            challenge: challenge,
            isSecondFactor: true
        )
    }

    @Test func `options that are null or damaged are none`() {
        let values: [Value] = [.null, [:], ["rpId": "shop.example"], ["rpId": "shop.example", "challenge": "+"]]
        for value in values {
            #expect(PasskeyRequestOptions(value) == nil)
            #expect(PasskeyCreationOptions(value) == nil)
        }
        let damaged: Value = ["rpId": "shop.example", "challenge": "AAAA", "allowCredentials": [["id": "="]]]
        #expect(PasskeyRequestOptions(damaged) == nil)
        let request = PasskeyRequestOptions(party.requestOptions(challenge: challenge, requiresUserVerification: true))
        #expect(request?.requiresUserVerification == true)
        #expect(request?.allowed == [])
    }

    @Test func `an attestation object that is cut off, too long or has a statement is rejected`() {
        let whole = object(Data(repeating: 1, count: 300))
        #expect(PasskeyResponse.registration(id: Data([1]), clientDataJSON: Data(), attestationObject: whole) != nil)
        let others = (0..<whole.count).map { Data(whole.prefix($0)) } + [whole + [0]]
        for other in others {
            #expect(PasskeyResponse.registration(id: Data(), clientDataJSON: Data(), attestationObject: other) == nil)
        }
        var packed = whole
        packed[8] = UInt8(ascii: "x")
        #expect(PasskeyResponse.registration(id: Data(), clientDataJSON: Data(), attestationObject: packed) == nil)
    }
}
