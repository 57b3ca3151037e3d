@testable import Accounts

/// The steps of WebAuthn Level 3, sections 7.1 and 7.2. Without its check, the test of a step fails.
struct RelyingPartyTests {
    let party = RelyingParty(id: "shop.example", name: "Shop", origins: ["https://shop.example"])
    let challenge = RelyingParty.challenge()

    func registered(_ change: (inout Authenticator) -> Void = { _ in }) throws -> Passkey {
        var authenticator = Authenticator()
        change(&authenticator)
        return try party.passkey(from: try authenticator.registration(challenge), challenge: challenge)
    }

    func loggedIn(
        with passkey: Passkey? = nil,
        isSecondFactor: Bool = true,
        signed: [UInt8]? = nil,
        _ change: (inout Authenticator) -> Void = { _ in }
    ) throws -> (passkey: Passkey, mayBeCloned: Bool) {
        let passkey = try passkey ?? registered()
        var authenticator = Authenticator.atLogin
        change(&authenticator)
        return try party.login(
            with: try authenticator.login(challenge, signed: signed),
            of: passkey,
            handle: [9],
            challenge: challenge,
            isSecondFactor: isSecondFactor
        )
    }

    // MARK: What is accepted

    @Test func `a passkey is created, and logs in`() throws {
        let passkey = try registered { $0.flags |= 0b0001_1100 }
        #expect(passkey.id == [1, 2, 3, 4])
        #expect(passkey.algorithm == .es256)
        #expect(passkey.publicKey.count == 64)
        #expect(passkey.isBackupEligible)
        #expect(passkey.isBackedUp)
        let login = try loggedIn(with: passkey, isSecondFactor: false) { $0.flags |= 0b0000_1100 }
        #expect(!login.mayBeCloned)
        #expect(!login.passkey.isBackedUp)
    }

    @Test func `a passkey with RSA logs in`() throws {
        let passkey = try registered { $0.key = .rsa }
        #expect(passkey.algorithm == .rs256)
        _ = try loggedIn(with: passkey) { $0.key = .rsa }
        #expect(throws: WebAuthnError.wrongSignature) { try loggedIn(with: passkey) }
    }

    @Test(arguments: ["none-es256", "none-es256-long-credential-id", "packed-es384", "packed-eddsa"])
    func `the vectors of the specification are accepted`(_ name: String) throws {
        let vector = try Vector(name)
        let login = try Self.login(vector)
        #expect(login.passkey.id == vector.id.hexBytes)
        #expect(!login.mayBeCloned)
    }

    // The RSA key of the vector has more than 2,048 bits.
    @Test(arguments: ["packed-es512", "packed-ed448", "packed-rs256"])
    func `the vectors with other algorithms or sizes of keys are rejected`(_ name: String) throws {
        #expect(throws: WebAuthnError.unsupportedAlgorithm) { try Self.login(Vector(name)) }
    }

    @Test(arguments: ["none-es256-topOrigin", "none-es256-crossOrigin"])
    func `a page in a frame of another site is rejected`(_ name: String) throws {
        #expect(throws: WebAuthnError.wrongTopOrigin) { try Self.login(Vector(name)) }
    }

    static let partyOfVectors = RelyingParty(id: "example.org", name: "", origins: ["https://example.org"])

    static func passkey(of vector: Vector) throws -> Passkey {
        let registration = vector.registration
        return try partyOfVectors.passkey(
            from: vector.response(registration),
            challenge: registration.challenge.hexBytes
        )
    }

    static func login(_ vector: Vector) throws -> (passkey: Passkey, mayBeCloned: Bool) {
        try partyOfVectors.login(
            with: vector.response(vector.login),
            of: passkey(of: vector),
            handle: [],
            challenge: vector.login.challenge.hexBytes,
            isSecondFactor: true
        )
    }

    // MARK: The client data

    static let wrongClientData: [(WebAuthnError, @Sendable (inout Authenticator) -> Void)] = [
        (.wrongType, { $0.type = $0.type == "webauthn.get" ? "webauthn.create" : "webauthn.get" }),
        (.wrongType, { $0.type = nil }), (.wrongChallenge, { $0.challenge = "AAAA" }),
        (.wrongChallenge, { $0.challenge = 1 }), (.wrongOrigin, { $0.origin = "https://shop.example:8443" }),
        (.wrongOrigin, { $0.origin = "http://shop.example" }), (.wrongOrigin, { $0.origin = nil }),
        (.wrongTopOrigin, { $0.crossOrigin = true }), (.wrongTopOrigin, { $0.topOrigin = "https://evil.example" }),
        (.wrongTopOrigin, { $0.crossOrigin = "true" }), (.wrongRelyingParty, { $0.relyingParty = "example" }),
        (.userNotPresent, { $0.flags &= ~1 }), (.invalidBackupState, { $0.flags |= 0b0001_0000 }),
        (.invalidCredentialID, { $0.responseID = [4, 3, 2, 1] }),
        (.malformedResponse, { $0.responseID = [UInt8](repeating: 0, count: 20_000) }),
    ]

    @Test(arguments: wrongClientData.indices)
    func `a response of another ceremony, challenge, origin, party or passkey is rejected`(_ index: Int) throws {
        let (error, change) = Self.wrongClientData[index]
        #expect(throws: error) { try registered(change) }
        #expect(throws: error) { try loggedIn(change) }
    }

    @Test func `an origin with another character that Unicode treats as the same is another origin`() {
        let party = RelyingParty(id: "shop.example", name: "Shop", origins: ["android:apk-key-hash:K"])
        var authenticator = Authenticator()
        authenticator.origin = "android:apk-key-hash:\u{212A}"
        #expect(throws: WebAuthnError.wrongOrigin) {
            try party.passkey(from: try authenticator.registration(challenge), challenge: challenge)
        }
    }

    @Test func `a challenge that the server does not know any more is not that of a response without one`() throws {
        var authenticator = Authenticator()
        authenticator.challenge = ""
        let response = try authenticator.registration([])
        #expect(throws: WebAuthnError.wrongChallenge) { try party.passkey(from: response, challenge: []) }
    }

    static let wrongForms: [Value.Object] = [
        [:], ["type": "password"], ["rawId": "AQI"], ["response": nil], ["id": 1, "rawId": 1],
        ["id": "A+", "rawId": "A+"], ["id": "AQ==", "rawId": "AQ=="], ["id": "AR", "rawId": "AR"],
    ]
    /// Client data that are not an object.
    static let wrongData = ["", "{", "[]", "\u{FEFF}{}"].map { text -> Value.Object in
        let data = Value.string(text.bytes.base64URL)
        return ["response": ["clientDataJSON": data, "authenticatorData": "AAAA"]]
    }

    @Test(arguments: wrongForms + wrongData)
    func `a response with another form is rejected`(_ change: Value.Object) throws {
        var response = try #require(try Authenticator().registration(challenge).object)
        for (name, value) in change { response[name] = value }
        let changed = change.isEmpty ? change : response
        #expect(throws: WebAuthnError.malformedResponse) {
            try party.passkey(from: .object(changed), challenge: challenge)
        }
    }

    // MARK: The authenticator data

    @Test func `a login without a password needs a person who was verified`() throws {
        #expect(throws: WebAuthnError.userNotVerified) { try loggedIn(isSecondFactor: false) }
        _ = try loggedIn(isSecondFactor: false) { $0.flags |= 0b100 }
    }

    @Test func `a registration has a passkey, with an algorithm that is accepted`() {
        #expect(throws: WebAuthnError.malformedAuthenticatorData) { try registered { $0.flags &= ~0b0100_0000 } }
        #expect(throws: WebAuthnError.malformedAuthenticatorData) { try registered { $0.flags = 0b1000_0001 } }
        // ES256K, which is -47.
        #expect(throws: WebAuthnError.unsupportedAlgorithm) { try registered { $0.algorithm = [0x38, 0x2E] } }
    }

    @Test(arguments: [0, 1, 36])
    func `authenticator data that are too short are rejected`(_ count: Int) {
        #expect(throws: WebAuthnError.malformedAuthenticatorData) {
            try AuthenticatorData([UInt8](repeating: 0, count: count))
        }
    }

    @Test func `the ID of a passkey has at most 1,023 bytes`() throws {
        #expect(try registered { $0.id = [UInt8](repeating: 7, count: 1023) }.id.count == 1023)
        for count in [0, 1024] {
            #expect(throws: WebAuthnError.self) { try registered { $0.id = [UInt8](repeating: 7, count: count) } }
        }
    }

    // MARK: The login

    @Test func `a passkey of another account does not log in`() throws {
        for isSecondFactor in [false, true] {
            #expect(throws: WebAuthnError.wrongUser) {
                try loggedIn(isSecondFactor: isSecondFactor) { $0.handle = [8] }
            }
        }
        #expect(throws: WebAuthnError.wrongUser) { try loggedIn(isSecondFactor: false) { $0.handle = nil } }
        _ = try loggedIn { $0.handle = nil }
    }

    @Test func `a login with excess data, another backup eligibility or a signature of something else is rejected`() {
        #expect(throws: WebAuthnError.malformedAuthenticatorData) { try loggedIn { $0.excess = [0xA0] } }
        #expect(throws: WebAuthnError.changedBackupEligibility) { try loggedIn { $0.flags |= 0b1000 } }
        #expect(throws: WebAuthnError.wrongSignature) { try loggedIn(signed: [1, 2, 3]) }
    }

    @Test func `a signature of another key is rejected`() throws {
        let id = try registered().id
        let other = try Self.passkey(of: Vector("none-es256"))
        for key in [other.publicKey, [], [UInt8](repeating: 0, count: 64)] {
            let passkey = Passkey(
                id: id,
                algorithm: .es256,
                publicKey: key,
                isBackupEligible: false,
                counter: 0,
                isBackedUp: false
            )
            #expect(throws: WebAuthnError.wrongSignature) { try loggedIn(with: passkey) }
        }
    }

    @Test(
        arguments: [
            (0, 0, 0, false), (0, 1, 1, false), (1, 2, 2, false), (2, 2, 2, true), (2, 1, 2, true), (2, 0, 2, true),
        ] as [(UInt32, UInt32, UInt32, Bool)]
    )
    func `a counter without growth is reported`(stored: UInt32, sent: UInt32, kept: UInt32, isReported: Bool) throws {
        var passkey = try registered()
        passkey.counter = stored
        let login = try loggedIn(with: passkey) { $0.counter = sent }
        #expect(login.passkey.counter == kept)
        #expect(login.mayBeCloned == isReported)
    }

    // MARK: The options

    @Test func `the options ask for a passkey that needs no user name`() {
        let options = party.creationOptions(
            challenge: [1, 2],
            handle: [9],
            name: "lisa@rules.example",
            displayName: "Lisa",
            excluding: [[3]]
        )
        #expect(options["rp"]?["id"] == "shop.example")
        #expect(options["user"]?["id"] == "CQ")
        #expect(options["challenge"] == "AQI")
        #expect(options["pubKeyCredParams"]?.array?.compactMap { $0["alg"]?.integer } == [-8, -7, -35, -257])
        #expect(options["excludeCredentials"] == [["type": "public-key", "id": "Aw"]])
        #expect(options["authenticatorSelection"]?["residentKey"] == "required")
        #expect(options["attestation"] == "none")
        #expect(party.requestOptions(challenge: [1, 2])["allowCredentials"] == [])
        #expect(party.requestOptions(challenge: [1, 2])["rpId"] == "shop.example")
    }

    @Test func `two challenges differ, and have 32 bytes`() {
        #expect(RelyingParty.challenge().count == 32)
        #expect(RelyingParty.challenge() != RelyingParty.challenge())
    }
}

extension Vector {
    /// What the client has sent.
    func response(_ ceremony: Ceremony) -> Value {
        func text(_ digits: String) -> Value { .string(digits.hexBytes.base64URL) }
        var response: Value.Object = [
            "clientDataJSON": text(ceremony.clientData), "authenticatorData": text(ceremony.authenticatorData),
        ]
        if let signature = ceremony.signature { response["signature"] = text(signature) }
        return ["type": "public-key", "id": text(id), "rawId": text(id), "response": .object(response)]
    }
}

extension String {
    /// The bytes that hexadecimal digits mean.
    var hexBytes: [UInt8] {
        stride(from: 0, to: utf8.count, by: 2).compactMap { index in
            let start = self.index(startIndex, offsetBy: index)
            return UInt8(self[start...].prefix(2), radix: 16)
        }
    }
}
