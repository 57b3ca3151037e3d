import BundledPages
import BusinessLogic
import MicroHTTP
import Testing

@testable import Understudy

struct OpenAPIPageTests {
    private static let embedded = Page("gift-card") { _ in EmbeddedController() }
    private static let awkward = Page("awkward") { _ in AwkwardController() }
    private static let all = Page.demo() + [embedded, awkward]

    @Test(arguments: all.map(\.name))
    func `Every declared event and field is in the document, and no other`(name: String) throws {
        let document = try APIDocument(Self.all)
        let page = try #require(Self.all.first { $0.name == name })
        let submissions = document.submissions(of: name).dropLast()
        let shorthand = document.submissions(of: name).last

        #expect(submissions.map { $0["properties"]?["event"]?["const"]?.string } == page.events.map(\.event.name))
        for (declaration, envelope) in zip(page.events, submissions) {
            #expect(names(envelope["properties"]) == ["event", "values"])
            let values = document.resolve(envelope["properties"]?["values"])
            #expect(Set(names(values?["properties"])) == Set(page.fields.map(\.name)))
            // Those that the event reads come first.
            let reads = declaration.reads.map(\.name)
            #expect(Array(names(values?["properties"]).prefix(reads.count)) == reads)
            let secrets = reads.filter(page.secrets.contains)
            #expect(strings(values?["required"]) == secrets)
            #expect(strings(envelope["required"]).contains("values") == !secrets.isEmpty)
            #expect(strings(envelope["required"]).contains("event") == !declaration.isDefault)
            if declaration.isDefault { #expect(values == shorthand) }
            for field in page.fields {
                let schema = values?["properties"]?[field.name]
                #expect(schema?["writeOnly"]?.boolean == (field.isSecret ? true : nil), "\(field.name)")
                let canBeNull = declaration.reads.first { $0.name == field.name }?.isOptional ?? field.isOptional
                let kind = Value.string(field.kind.rawValue)
                #expect(schema?["type"] == (canBeNull ? [kind, "null"] : kind), "\(field.name)")
            }
        }
        let form = document["#/components/schemas/\(name).form"]
        #expect(strings(form?["properties"]?["event"]?["enum"]) == page.events.map(\.event.name))
        #expect(names(form?["properties"]) == ["event"] + page.fields.map(\.name))
    }

    @Test func `An embedder's page is described by what it declares`() throws {
        let document = try APIDocument([Self.embedded])
        let post = try #require(document.operation("post", "/gift-card"))
        #expect(post["operationId"]?.string == "gift-cardPost")
        #expect(post["requestBody"]?["required"]?.boolean == false)
        #expect(post["requestBody"]?["content"]?["application/json"]?["examples"] == nil)
        #expect(post["description"]?.string?.contains("- `pinEntered` reads `pin` (secret).") == true)
        let pin = document["#/components/schemas/gift-card.form"]?["properties"]?["pin"]
        #expect(pin == ["type": "number", "writeOnly": true])
        #expect(document.root["paths"]?["/login"] == nil)
    }

    @Test func `Names that are awkward survive YAML, and no two schemas share a name`() throws {
        let openAPI = OpenAPIDocument(pages: [Self.awkward])
        #expect(try value(ofYAML: openAPI.yaml)?.json == openAPI.json)
        let document = try APIDocument([Self.awkward])
        #expect(document.submissions(of: "awkward").count == AwkwardController.events.rows.count + 1)
        for name in names(document.root["components"]?["schemas"]) {
            #expect(name.wholeMatch(of: #/[A-Za-z0-9._-]+/#) != nil, "\(name)")
        }
    }

    @Test func `A service without pages has a document`() throws {
        let document = try APIDocument([])
        #expect(document.operations.count == Route.all.count)
        for reference in document.references { #expect(document[reference] != nil, "\(reference)") }
    }

    @Test(arguments: all.map(\.name))
    func `A body is required exactly where an event without one is always refused`(name: String) async throws {
        let post = try APIDocument(Self.all).operation("post", "/\(name)")
        let client = TestClient(UnderstudyService(pages: Self.all))
        let page = try #require(Self.all.first { $0.name == name })
        // All that can be kept has been sent before.
        let values = Value.object(page.defaultEvent.placeholderValues)
        #expect(try await client.post("/\(name)", String(decoding: values.json, as: UTF8.self)).status == 200)
        let isRefused = try await client.post("/\(name)").status == 422
        #expect(post?["requestBody"]?["required"]?.boolean == isRefused)
        let words = post?["description"]?.string ?? ""
        #expect(words.contains("Without a body the default event is meant.") == !isRefused)
        #expect(words.contains("There has to be a body") == isRefused)
    }

    // MARK: Examples

    @Test func `Without the bundled login page the example is a page that is there`() throws {
        let words = try description(of: [Self.embedded, Self.awkward], below: "/shop")
        #expect(
            words.contains(
                """
                These three are equivalent:

                ```
                curl -d amount=1 -d isGift=true localhost:8080/shop/gift-card
                curl --json '{"amount": 1, "isGift": true}' localhost:8080/shop/gift-card
                curl --json '{"event": "amountEntered", "values": {"amount": 1, "isGift": true}}' \
                localhost:8080/shop/gift-card
                ```
                """
            )
        )
        for stranger in ["login", "batman", "--demo"] { #expect(!words.contains(stranger), "\(stranger)") }
    }

    @Test func `Declared examples are what is typed, quoted for a shell, but for secrets`() throws {
        let words = try description(of: [Page("letter") { _ in LetterController() }])
        #expect(
            words.contains(
                #"""
                curl -d to=Lisa%27s+%22friend%22+%26+co -d pin=text -d note=text localhost:8080/letter
                curl --json '{"to": "Lisa'\''s \"friend\" & co", "pin": "text", "note": "text"}' localhost:8080/letter
                """#
            )
        )
    }

    @Test func `A page that reads nothing needs no values`() throws {
        let words = try description(of: [Page("bell") { _ in BellController() }])
        #expect(
            words.contains(
                """
                curl -X POST localhost:8080/bell
                curl --json '{}' localhost:8080/bell
                curl --json '{"event": "rung"}' localhost:8080/bell
                """
            )
        )
    }

    @Test func `Without any page there is no example`() throws {
        #expect(try !description(of: []).contains("curl"))
    }

    private func description(of pages: [Page], below prefix: PathPrefix = PathPrefix()) throws -> String {
        let document = try JSONReader.read(OpenAPIDocument(pages: pages, below: prefix).json)
        return try #require(document["info"]?["description"]?.string)
    }

    @Test(arguments: Page.demo().map(\.name))
    func `Every example is answered exactly as the document says`(page: String) async throws {
        let document = try APIDocument(Page.demo())
        let post = try #require(document.operation("post", "/\(page)"))
        let answers = post["responses"]?["200"]?["content"]?["application/json"]?["examples"]
        let content = post["requestBody"]?["content"]
        let json = content?["application/json"]?["examples"]
        #expect(!names(json).isEmpty && names(json) == names(answers))
        for (name, example) in members(json) {
            let body = try #require(example["value"]).json
            try await expect(document, page, "application/json", body, answers?[name]?["value"], name)
        }
        for (name, example) in members(content?["application/x-www-form-urlencoded"]?["examples"]) {
            let body = Array(
                members(example["value"]).map { "\($0.name)=\(encode($0.value))" }.joined(separator: "&").utf8
            )
            try await expect(document, page, "application/x-www-form-urlencoded", body, answers?[name]?["value"], name)
        }
    }

    @Test(arguments: all.map(\.name))
    func `A page that has not been used is shown exactly as the document says`(page: String) async throws {
        let content = try APIDocument(Self.all).operation("get", "/\(page)")?["responses"]?["200"]?["content"]
        let response = await UnderstudyService(pages: Self.all).respond(to: Request(.get, "/\(page)"))
        #expect(response.status == 200)
        #expect(response.body == content?["application/json"]?["examples"]?["unused"]?["value"]?.json)
    }

    @Test(arguments: ["/livez", "/readyz"])
    func `The service's examples are true`(path: String) async throws {
        let content = try APIDocument([]).operation("get", path)?["responses"]?["200"]?["content"]
        let response = await UnderstudyService(pages: []).respond(to: Request(.get, path))
        let type = try #require(response.contentType).description
        #expect(content?[type]?["example"]?.string == String(decoding: response.body, as: UTF8.self))
    }

    private func expect(
        _ document: APIDocument,
        _ page: String,
        _ type: String,
        _ body: [UInt8],
        _ answer: Value?,
        _ name: String
    ) async throws {
        let request = Request(.post, "/\(page)", headers: ["Content-Type": type], body: body)
        let response = await UnderstudyService(pages: Page.demo()).respond(to: request)
        #expect(response.status == 200, "\(name)")
        #expect(response.body == answer?.json, "\(name): \(String(decoding: response.body, as: UTF8.self))")
        let listed = document.operation("post", "/\(page)")?["responses"]?["200"]?["headers"]
        for header in response.fields where header.name != .contentType {
            #expect(listed?[header.name.description] != nil, "\(name): \(header.name)")
        }
    }

    private func encode(_ value: Value) -> String {
        (value.string ?? "").utf8.map { byte in
            byte.isASCIIAlphanumeric
                ? String(UnicodeScalar(byte)) : "%" + String(0x100 + Int(byte), radix: 16).suffix(2)
        }.joined()
    }
}
