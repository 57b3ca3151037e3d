struct ShowPageTests {
    let client = TestClient()

    @Test func `a page lists the messages and errors that it shows, until other values replace them`() async throws {
        func shown() async throws -> [Value?] {
            let page = try await client.get("/register").json
            return [page["messages"], page["ok"], page["errors"]]
        }
        #expect(try await shown() == [[:], true, nil])
        let answer = try await client.post("/register", "userID=1")
        let message: Value = ["code": "registration.invalidUserID", "parameters": ["digits": 12]]
        #expect(try await shown() == [["errorMessage": message], false, answer["errors"]])
        try await client.post("/register", "userID=012345678912")
        #expect(try await shown() == [[:], true, nil])
    }

    @Test func `an alert that reports an error is one of the page's errors`() async throws {
        let answer = try await client.post("/signup", "name=Lisa&email=lisa%40rules&password=secret")
        #expect(try await client.get("/signup")["errors"] == answer["errors"])
    }

    @Test func `the index lists the pages and documents`() async throws {
        let index = try await client.get("/").json
        #expect(index.object?["pages"]?.array?.first == ["name": "login", "href": "/login", "inNavigation": false])
        #expect(index.object?["documents"] == ["/openapi.json", "/openapi.yaml"])
    }

    @Test func `the last event's destination has its address and values`() async throws {
        try await client.post("/products", "event=onSelected&product=Car")
        let detail: Value = ["name": "ProductDetail", "href": "/product", "values": ["product": "Car"]]
        #expect(try await client.get("/products")["goToPage"] == detail)
    }
}
