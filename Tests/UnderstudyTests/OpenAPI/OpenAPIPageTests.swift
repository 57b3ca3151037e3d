@testable import Understudy
@testable import UnderstudyPages
@testable import UnderstudySessions

struct OpenAPIPageTests {
    static let awkward = Page("awkward") { _ in AwkwardController() }
    static let described = [Page("guests") { _ in DescribedController() }, Page("cake") { _ in CakeController() }]
    static let all = Page.demo() + [Page("gift-card") { _ in EmbeddedController() }, awkward] + described

    /// The documents of all pages, and of the pages that declare everything.
    static let documents = Result { (try APIDocument(all), try APIDocument(described)) }
    let document: APIDocument
    let guests: APIDocument

    init() throws { (document, guests) = try Self.documents.get() }

    // MARK: Requests

    @Test(arguments: all.map(\.name))
    func `Every declared event and field is in the document, and no other`(name: String) throws {
        let page = try #require(Self.all.first { $0.name == name })
        let requests = document.requests(to: name)
        #expect(requests.map { $0["properties"]?["event"]?["const"]?.string } == page.events.map(\.event.name))
        for (declaration, request) in zip(page.events, requests) {
            let values = document.resolve(request["properties"]?["values"])
            #expect(names(values?["properties"]) == declaration.reads.map(\.name))
            let required = declaration.reads.filter { $0.whenAbsent == nil }.map(\.name)
            #expect(strings(values?["required"]) == required)
            #expect(strings(request["required"]) == (required.isEmpty ? ["event"] : ["event", "values"]))
            #expect(request["additionalProperties"] == false)
            for field in declaration.reads {
                let schema = values?["properties"]?[field.name]
                let isSecret = page.secrets.contains(field.name)
                #expect(schema?["writeOnly"]?.boolean == (isSecret ? true : nil), "\(field.name)")
                let kind = Value.string(field.schema.jsonType?.rawValue ?? "")
                #expect(schema?["type"] == (field.schema.isOptional ? [kind, "null"] : kind), "\(field.name)")
            }
        }
    }

    @Test func `The event decides between the requests of a page with several events`() throws {
        #expect(
            guests.schema("GuestsEvent")?["discriminator"]?["mapping"] == [
                "signed": "#/components/schemas/Signed", "onStart": "#/components/schemas/GuestsOnStart",
                "left": "#/components/schemas/Left",
            ]
        )
        #expect(guests.schema("CakeEvent") == nil)
    }

    @Test func `A field has its format, length, description, default and example`() throws {
        let signed = guests.schema("SignedValues")?["properties"]
        #expect(
            signed?["birthday"] == [
                "type": "string", "maxLength": 10, "format": "date", "description": "The day of birth.",
                "examples": ["1980-05-12"],
            ]
        )
        #expect(signed?["newsletter"] == ["type": "boolean", "default": false, "examples": [true]])
        #expect(
            signed?["visits"] == [
                "type": ["integer", "null"], "format": "int64", "minimum": Value(Int.min), "maximum": Value(Int.max),
                "examples": [1],
            ]
        )
        #expect(
            guests.schema("GuestsOnStartValues")?["properties"]?["pin"] == [
                "type": "string", "maxLength": 4, "format": "password", "writeOnly": true, "examples": ["text"],
            ]
        )
    }

    @Test func `A request has only one media type`() throws {
        for operation in document.operations {
            let content = operation.value["requestBody"]?["content"]
            #expect(content == nil || names(content) == ["application/json"], "\(operation.name)")
        }
    }

    @Test(arguments: all)
    func `A request has an example of each event, which the page accepts`(page: Page) async throws {
        let post = document.operation("post", "/\(page.name)")
        let examples = members(post?["requestBody"]?["content"]?["application/json"]?["examples"])
        #expect(Set(examples.map(\.name)) == Set(page.events.map(\.event.name)))
        #expect(examples.first?.name == page.defaultEvent.event.name)
        let described = names(post?["responses"]?["200"]?["headers"])
        let common = CommonHeaders.service.fields.map(\.name) + [.contentType, "X-Request-ID"]
        for (name, example) in examples {
            let request = Request.json("/\(page.name)", "\(try #require(example["value"]))")
            let response = await UnderstudyService(pages: Self.all).respond(to: request)
            #expect(response.status == 200, "\(name)")
            for header in response.fields where !common.contains(header.name) {
                #expect(described.contains(header.name.description), "\(name): \(header.name)")
            }
        }
    }

    @Test func `Unusual names survive YAML, and names are unique identifiers`() throws {
        let openAPI = OpenAPIDocument(pages: [Self.awkward])
        #expect(try value(ofYAML: openAPI.yaml)?.json == openAPI.json)
        let document = try APIDocument([Self.awkward])
        #expect(document.requests(to: "awkward").count == AwkwardController.events.rows.count)
        for name in names(document.root["components"]?["schemas"]) {
            #expect(name.wholeMatch(of: #/[A-Z][A-Za-z0-9]*/#) != nil, "\(name)")
        }
    }

    @Test(arguments: all.map(\.name))
    func `A request without a body is explained, if it is accepted`(name: String) async throws {
        let post = document.operation("post", "/\(name)")
        let isRejected = try await TestClient(pages: Self.all).post("/\(name)").status == 422
        // Always, because openapi-python-client generates code for an optional body that fails.
        #expect(post?["requestBody"]?["required"] == true)
        let isExplained = post?["description"]?.string?.contains("A request without a body means") == true
        #expect(isExplained == !isRejected)
    }

    @Test func `Rendered objects whose names would be the same have different names`() throws {
        let document = try APIDocument([Page("shop", ShopController())])
        let rendered = document.schema("ShopRendered")?["properties"]
        let item = document.resolve(rendered?["cart"]?["items"])
        let other = document.resolve(rendered?["cartItem"])
        #expect(item?["required"] == ["name"] && other?["required"] == ["count"])
    }

    @Test func `Only pages that read a secret take a device token`() throws {
        for page in Self.all {
            let parameters = document.operation("post", "/\(page.name)")?["parameters"]?.array ?? []
            let hasToken = parameters.contains { $0["$ref"] == "#/components/parameters/DeviceToken" }
            #expect(hasToken == !page.secrets.isEmpty, "\(page.name)")
        }
    }

    // MARK: Responses

    @Test func `What a page renders has its declared type`() throws {
        let rendered = guests.schema("GuestsRendered")?["properties"]
        #expect(rendered?["title"] == ["type": "string", "description": "The title."])
        #expect(rendered?["count"]?["type"] == ["integer", "null"])
        #expect(rendered?["guests"]?["items"] == ["$ref": "#/components/schemas/Guest"])
        #expect(rendered?["host"]?["oneOf"] == [["$ref": "#/components/schemas/Guest"], ["type": "null"]])
        #expect(rendered?["anything"] == [:])
        #expect(rendered?["error"]?["type"] == ["string", "null"])
        let guest = guests.schema("Guest")
        #expect(guest?["required"] == ["name", "weight", "pet"])
        #expect(guest?["properties"]?["weight"] == ["type": "number", "format": "double"])
        #expect(guests.response("get", "/guests")?["properties"]?["rendered"]?["$ref"] != nil)
    }

    @Test func `A type is one schema, with formats that code generators know`() throws {
        let document = try APIDocument([OrderController.page])
        let line = try #require(document.schema("OrderLine"))
        #expect(line["description"] == "A value that events read and show.")
        #expect(line["properties"]?["size"] == ["$ref": "#/components/schemas/Size"])
        #expect(document.schema("Size")?["enum"] == ["small", "medium", "large"])
        #expect(document.schema("GiftWrap")?["description"] == "A value that events read.")
        // The generator for Go makes a float32 of a format that it does not know.
        let total: Value = ["type": "number", "format": "double", "description": "The price of all lines."]
        #expect(document.schema("OrderRendered")?["properties"]?["total"] == total)
    }

    @Test func `The response describes the page's commands`() throws {
        let commands = try #require(guests.response("post", "/guests")?["properties"]?["commands"])
        #expect(commands["items"] == ["$ref": "#/components/schemas/Command"])
        let description = commands["description"]?.string ?? ""
        for line in [
            "- `render` `title` (string). The title.", "- `render` `count` (integer or null).",
            "- `render` `error` (string or null: `guest.tooYoung`).", "- `render` `error` (string or null: a message).",
            "- `showAlert` `guest.welcome`: “Welcome” (no error)",
            "- `goToPage` `Cake`, `href` `/cake`, with the values `birthday`.",
            "- `goToPage` `Settings`, a screen of the client.",
        ] { #expect(description.contains(line), "\(line)") }
        #expect(!description.contains("`left`"))
    }

    // MARK: Examples

    @Test(arguments: all.map(\.name))
    func `An unused page is shown as documented`(page: String) async throws {
        let content = document.operation("get", "/\(page)")?["responses"]?["200"]?["content"]
        let response = try await expect(UnderstudyService(pages: Self.all).get("/\(page)"), 200)
        #expect(response.body == content?["application/json"]?["examples"]?["unused"]?["value"]?.json)
    }

    @Test(arguments: ["/livez", "/readyz"])
    func `The examples of the service's routes are its real responses`(path: String) async throws {
        let content = try APIDocument([]).operation("get", path)?["responses"]?["200"]?["content"]
        let response = try await UnderstudyService(pages: []).get(path)
        let type = try #require(response.header("Content-Type"))
        #expect(content?[type]?["example"]?.string == response.text)
    }
}

/// A controller with an array `cart`, whose elements are named as the output `cartItem`.
private struct ShopController: Script {
    struct Item: ObjectValue {
        let name: String
        static let object = ObjectSchema(Item.init(name:), Member("name", \.name))
    }

    struct Count: ObjectValue {
        let count: Int
        static let object = ObjectSchema(Count.init(count:), Member("count", \.count))
    }

    static let cart = Output<[Item]>("cart")
    static let cartItem = Output<Count>("cartItem")
    static let events: Events = [.default("onStart", gives: [.renders(cart), .renders(cartItem)]) { _ in }]
}
