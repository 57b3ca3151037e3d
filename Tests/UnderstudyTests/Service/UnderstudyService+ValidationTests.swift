import BundledControllers
import BundledPages
import BusinessLogic
import MicroHTTP
import Testing

@testable import Understudy

@Suite struct ValidationTests {
    private func validate(_ body: String, type: String = "application/json") async throws -> Answer {
        struct NotSecret: PasswordPolicy {
            func objection(to password: String, name: String?, email: String?, userID: String?) -> Message? {
                password == "secret"
                    ? Message(code: "test.secret", text: "Not this one", parameters: ["minimum": 15]) : nil
            }
        }
        let service = UnderstudyService(pages: Page.bundled(passwordPolicy: NotSecret()))
        let headers: Headers = ["Host": "a", "Content-Type": type]
        let request = Request(.post, "/validate", headers: headers, body: Array(body.utf8))
        return Answer(await service.respond(to: request))
    }

    @Test func `each check has its result, in order`() async throws {
        let answer = try await validate(
            #"""
            {"checks":[{"rule":"userID","value":" 012345 678912 "},{"rule":"email","value":"lisa@rules"},
             {"rule":"email","value":"lisa@rules.com"},{"rule":"userID","value":null},{"rule":"password","value":"bobcat"},
             {"value":"secret","rule":"password"}]}
            """#
        )
        #expect(answer.status == 200)
        let results = try json(
            #"""
            {"results":[{"valid":true,"normalised":"012345678912"},
             {"valid":false,"code":"email.invalid","message":"This is not an email address"},{"valid":true},
             {"valid":false,"code":"registration.invalidUserID","message":"A user ID has exactly twelve digits",
              "parameters":{"digits":12}},{"valid":true},
             {"valid":false,"code":"test.secret","message":"Not this one","parameters":{"minimum":15}}]}
            """#
        )
        #expect(try answer.json == results)
        #expect(answer.header("Set-Cookie") == nil)
    }

    @Test func `an embedder's page and configuration register rules of their own`() async throws {
        var configuration = ServiceConfiguration()
        configuration.rules = [
            ValidationRule("even", example: "2") { value in
                Int(value).map { $0 % 2 == 0 } ?? false
                    ? .valid() : .invalid(Message(code: "test.odd", text: "This is odd"))
            }
        ]
        let coupon = ValidationRule("coupon", maximumLength: 4) { .valid(normalised: $0.lowercased()) }
        let page = Page("counter", rules: [coupon]) { _ in CountingController() }
        let service = UnderstudyService(pages: [page], configuration: configuration)
        let body = #"{"checks":[{"rule":"even","value":"3"},{"rule":"coupon","value":"AB"}]}"#
        let headers: Headers = ["Host": "a", "Content-Type": "application/json"]
        let answer = Answer(
            await service.respond(to: Request(.post, "/validate", headers: headers, body: Array(body.utf8)))
        )
        let results = #"""
            {"results":[{"valid":false,"code":"test.odd","message":"This is odd"},{"valid":true,"normalised":"ab"}]}
            """#
        #expect(try answer.json == json(results))
        #expect(service.openAPIDocument.contains("- even"))
    }

    @Test func `a request has between 0 and 1,000 checks`() async throws {
        #expect(try await validate(#"{"checks":[]}"#).json == json(#"{"results":[]}"#))
        let check = #"{"rule":"email","value":"a"}"#
        let thousand = Array(repeating: check, count: 1000).joined(separator: ",")
        #expect(try await validate("{\"checks\":[\(thousand)]}")["results"]?.array?.count == 1000)
        let more = try await validate("{\"checks\":[\(thousand),\(check)]}")
        #expect(try more["code"] == "malformedBody")
        #expect(try more["pointer"] == "/checks/1000")
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
        let answer = try await validate(body)
        #expect(answer.status == 400)
        #expect(try answer["code"] == "malformedBody")
        #expect(try answer["pointer"] == .string(pointer))
    }

    @Test func `an unknown rule is rejected with the list of rules`() async throws {
        let answer = try await validate(#"{"checks":[{"rule":"phone","value":"a"}]}"#)
        #expect(answer.status == 422)
        #expect(try answer["code"] == "unknownRule")
        #expect(try answer["rules"] == ["userID", "email", "password"])
        #expect(try answer["pointer"] == "/checks/0/rule")
    }

    @Test func `a body that is not JSON is rejected`() async throws {
        #expect(try await validate("{").code == "malformedJSON")
        #expect(try await validate("a=b", type: "application/x-www-form-urlencoded").code == "unsupportedMediaType")
    }
}
