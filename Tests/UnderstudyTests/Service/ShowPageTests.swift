import TestSupport

@testable import Understudy

@Suite struct ShowPageTests {
    private let client = TestClient(UnderstudyService(pages: Page.demo()))

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
        #expect(index.object?["pages"]?.array?.first == ["name": "login", "href": "/login", "inNavigation": false])
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
