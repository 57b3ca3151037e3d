@testable import Understudy

struct LinkValuesTests {
    let service = UnderstudyService(pages: Page.demo())

    func get(_ target: String) async throws -> String { try await service.get(target).text }

    @Test func `a query fills values of a page that are not secret, runs nothing and starts no session`() async throws {
        let page = try await service.get("/product?product=A+%43ar")
        #expect(page.text.contains(#""rendered":{},"#))
        #expect(page.text.contains(#""values":{"product":"A Car"}"#))
        #expect(page.cookie == nil)
        #expect(try await get("/product").contains(#""values":{}"#))
        #expect(try await get("/login?username=lisa&password=s3cret").contains(#""values":{"username":"lisa"}"#))
    }

    @Test func `a value that its field does not accept is an error in a response with status 200`() async throws {
        let page = try await expect(service.get("/email?email=" + "a".repeated(255)), 200)
        #expect(page.text.contains(#""ok":false"#))
        #expect(page.text.contains(#""code":"value.tooLong""#))
        #expect(page.text.contains(#""values":{}"#))
    }

    @Test(arguments: [
        "?", "?=", "?%", "?product=%ff", "?product=a&product=b", "?product.0=a", "?_product=a", "?x=1&event=a",
    ])
    func `names of no field and a malformed query are ignored`(query: String) async throws {
        #expect(try await get("/product\(query)") == get("/product"))
    }

    @Test func `the document has a parameter for each field that a link can fill`() throws {
        let document = try APIDocument(Page.demo())
        let parameters = document.operation("get", "/login")?["parameters"]?.array
        #expect(parameters?.map { $0["name"] } == ["username"])
        #expect(document.operation("get", "/home")?["parameters"] == nil)
    }
}
