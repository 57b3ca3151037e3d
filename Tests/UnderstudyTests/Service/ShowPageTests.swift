import BundledPages
import BusinessLogic
import Testing

@testable import Understudy

@Suite struct ShowPageTests {
    private let client = TestClient(UnderstudyService(pages: Page.demo()))

    @Test func `a page shows the fields, outputs, messages and destinations that its events declare`() async throws {
        let login = try await client.get("/login").json.object
        #expect(
            try login?["fields"]
                == json(
                    #"""
                    [{"name":"username","kind":"string","optional":false,"secret":false,"maxLength":254,
                      "description":"The name with which the user logs in.",
                      "schema":{"type":"string","maxLength":254}},
                     {"name":"password","kind":"string","optional":false,"secret":true,"maxLength":1024,
                      "description":"The user's password.","schema":{"type":"string","maxLength":1024}}]
                    """#
                )
        )
        #expect(
            try login?["outputs"]
                == json(
                    #"""
                    [{"key":"message","kind":"string","optional":false,"description":"Why the login failed, or that the user may log in again.",
                      "schema":{"type":"string"}}]
                    """#
                )
        )
        #expect(
            try login?["events"]?.array?.first?.object?["gives"]
                == json(
                    #"""
                    {"renders":["message"],"messages":["login.wrongCredentials","login.tooManyAttempts"],
                     "destinations":[{"name":"Home","href":"/home"}]}
                    """#
                )
        )
    }

    @Test func `an output's kind and whether it may be null are those of its type`() async throws {
        let outputs = try await client.get("/products")["outputs"]?.array ?? []
        #expect(outputs.map { $0.object?["kind"] } == ["string", "boolean", "array"])
        let register = try await client.get("/register")["outputs"]?.array ?? []
        #expect(register.map { $0.object?["optional"] } == [true, true])
    }

    @Test func `a rendered text keeps its message until another value replaces it`() async throws {
        #expect(try await client.get("/register")["messages"] == [:])
        try await client.post("/register", form: "userID=1")
        #expect(
            try await client.get("/register")["messages"]
                == ["errorMessage": ["code": "registration.invalidUserID", "parameters": ["digits": 12]]]
        )
        try await client.post("/register", form: "userID=012345678912")
        #expect(try await client.get("/register")["messages"] == [:])
    }

    @Test func `a page lists the errors that it shows, with their fields`() async throws {
        #expect(try await client.get("/register")["ok"] == true)
        let answer = try await client.post("/register", form: "userID=1")
        let screen = try await client.get("/register")
        #expect(try screen["ok"] == false)
        #expect(try screen["errors"] == answer["errors"])
        try await client.post("/register", form: "userID=012345678912")
        #expect(try await client.get("/register")["ok"] == true)
        #expect(try await client.get("/register")["errors"] == nil)
    }

    @Test func `an alert that reports an error is one of the page's errors`() async throws {
        let answer = try await client.post("/signup", form: "name=Lisa&email=lisa%40rules&password=secret")
        #expect(try await client.get("/signup")["errors"] == answer["errors"])
    }

    @Test func `the index lists the pages and documents`() async throws {
        let index = try await client.get("/").json
        #expect(index.object?["pages"]?.array?.first == ["name": "login", "href": "/login"])
        #expect(index.object?["documents"] == ["/openapi.json", "/openapi.yaml"])
    }

    @Test func `the destination of the last event has its address and the values that its page reads`() async throws {
        try await client.post("/products", form: "event=onSelected&product=Car")
        #expect(
            try await client.get("/products")["goToPage"]
                == ["name": "ProductDetail", "href": "/product", "values": ["product": "Car"]]
        )
    }
}
