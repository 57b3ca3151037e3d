struct ValidationTests {
    let client = TestClient()

    func validate(_ body: String, type: String = "application/json") async throws -> Answer {
        struct NotSecret: PasswordPolicy {
            func objection(to password: String, name: String?, email: String?, userID: String?) -> Message? {
                password == "secret"
                    ? Message(code: "test.secret", text: "Not this one", parameters: ["minimum": 15]) : nil
            }
        }
        let request = Request(.post, "/validate", headers: ["Content-Type": type], body: body.bytes)
        return await UnderstudyService(pages: Page.bundled(passwordPolicy: NotSecret())).send(request)
    }

    @Test func `each check has its result, in order`() async throws {
        let answer = try await validate(
            #"""
            {"checks":[{"rule":"userID","value":" 012345 678912 "},{"rule":"email","value":"lisa@rules"},
             {"rule":"email","value":"lisa@rules.com"},{"rule":"userID","value":null},{"rule":"password","value":"bobcat"},
             {"value":"secret","rule":"password"}]}
            """#
        )
        expect(answer, 200)
        try expect(
            answer,
            is: #"""
                {"results":[{"valid":true,"normalised":"012345678912"},
                 {"valid":false,"code":"email.invalid","message":"This is not an email address"},
                 {"valid":true,"normalised":"lisa@rules.com"},
                 {"valid":false,"code":"registration.invalidUserID","message":"A user ID has exactly twelve digits",
                  "parameters":{"digits":12}},{"valid":true},
                 {"valid":false,"code":"test.secret","message":"Not this one","parameters":{"minimum":15}}]}
                """#
        )
        #expect(answer.cookie == nil)
    }

    static let noEmail: Value = ["valid": false, "code": "email.invalid", "message": "This is not an email address"]

    @Test(
        arguments: [
            ("userID", "value=+012345+678912+", ["valid": true, "normalised": "012345678912"]),
            // A value may come as JSON.
            ("email", #"{"value":"lisa@rules"}"#, noEmail), ("email", #"{"value":null}"#, noEmail),
            // The result of a secret rule does not repeat the value.
            ("password", "value=bobcat", ["valid": true]),
        ] as [(String, String, Value)]
    )
    func `one value has one result`(rule: String, body: String, result: Value) async throws {
        let answer = try await expect(client.post("/validate/" + rule, body), 200)
        #expect(try answer.json == result)
        #expect(answer.cookie == nil)
    }

    @Test(
        arguments: [
            ("userID", ["{}", #"{"value":1}"#, #"{"value":"1","rule":"email"}"#, #"{"event":"value"}"#, ""]),
            ("UserID", [#"{"value":"1"}"#]), ("a/b", [#"{"value":"1"}"#]),
        ]
    )
    func `a request that is not one value for a known rule is rejected`(rule: String, bodies: [String]) async throws {
        for body in bodies {
            let answer = try await client.post("/validate/" + rule, body)
            #expect(try answer.code == (rule == "userID" ? "malformedBody" : "unknownRule"), "\(body)")
            #expect(try answer["rules"] == (rule == "userID" ? nil : ["userID", "email", "password"]))
        }
    }

    @Test func `a value for one rule may be as long as the rule allows`() async throws {
        try await expect(client.post("/validate/email", "value=" + "a".repeated(254)), 200)
        let tooLong = try await client.post("/validate/email", "value=" + "a".repeated(255))
        try expect(tooLong, 422, "valueTooLong", ["maximum": 254])
    }

    @Test(arguments: [
        ("/email", #"{"value":"a\u0000"}"#, "/value"), ("/email", "value=a%00", "/value"),
        ("", #"{"checks":[{"rule":"email","value":"\u0000"}]}"#, "/checks/0/value"),
    ])
    func `a value with U+0000 is no value for a rule`(rule: String, body: String, pointer: String) async throws {
        let answer = try await client.post("/validate" + rule, body)
        let detail: Value = "A value for the rule 'email' must be a text without U+0000."
        try expect(answer, 422, "wrongFieldType", ["pointer": .string(pointer), "detail": detail])
    }

    @Test func `the list of rules has their names, lengths, secrecy and examples`() async throws {
        try expect(
            await client.get("/validate"),
            is: #"""
                {"rules":[{"rule":"userID","maxLength":1024,"secret":false,"example":" 012345 678912 "},
                 {"rule":"email","maxLength":254,"secret":false,"example":"lisa@rules"},
                 {"rule":"password","maxLength":1024,"secret":true}]}
                """#
        )
    }

    @Test func `an embedder's page and configuration register rules of their own`() async throws {
        let coupon = ValidationRule("coupon", maximumLength: 4) { .valid(normalised: $0.lowercased()) }
        let page = Page("counter", rules: [coupon]) { _ in CountingController() }
        let odd = Message(code: "test.odd", text: "This is odd")
        let even = ValidationRule("even", example: "2") {
            Int($0)?.isMultiple(of: 2) == true ? .valid() : .invalid(odd)
        }
        let service = UnderstudyService(pages: [page]) { $0.rules = [even] }
        let body = #"{"checks":[{"rule":"even","value":"3"},{"rule":"coupon","value":"AB"}]}"#
        try expect(
            await TestClient(service).post("/validate", body),
            is: #"""
                {"results":[{"valid":false,"code":"test.odd","message":"This is odd"},{"valid":true,"normalised":"ab"}]}
                """#
        )
        #expect(service.openAPIDocument.contains("- even"))
    }

    @Test func `a request has between 0 and 1,000 checks`() async throws {
        #expect(try await validate(#"{"checks":[]}"#).json == json(#"{"results":[]}"#))
        let check = #"{"rule":"email","value":"a"}"#
        let thousand = [check].repeated(1000).joined(separator: ",")
        #expect(try await validate("{\"checks\":[\(thousand)]}")["results"]?.array?.count == 1000)
        let more = try await validate("{\"checks\":[\(thousand),\(check)]}")
        try expect(more, 400, "malformedBody", ["pointer": "/checks/1000"])
    }

    @Test(
        arguments: [
            ("[]", "/checks"), ("{}", "/checks"), (#"{"checks":{}}"#, "/checks"), (#"{"checks":[],"a":1}"#, "/checks"),
            (#"{"checks":[1]}"#, "/checks/0"), (#"{"checks":[{"rule":"email"}]}"#, "/checks/0"),
            (#"{"checks":[{"rule":"email","value":"a"},{"rule":1,"value":"a"}]}"#, "/checks/1"),
            (#"{"checks":[{"rule":"email","value":"a","x":1}]}"#, "/checks/0"),
            (#"{"checks":[{"rule":"email","value":1}]}"#, "/checks/0/value"),
        ]
    )
    func `a body of another shape is rejected with a pointer to the fault`(body: String, pointer: String) async throws {
        try await expect(validate(body), 400, "malformedBody", ["pointer": .string(pointer)])
    }

    @Test func `a body that is not JSON is rejected`() async throws {
        #expect(try await validate("{").code == "malformedJSON")
        #expect(try await validate("a=b", type: "application/x-www-form-urlencoded").code == "unsupportedMediaType")
    }
}
