@testable import Understudy
@testable import UnderstudyPages
@testable import UnderstudySessions

struct OpenAPIDocumentTests {
    static let pages = Page.demo()
    let document: APIDocument

    init() throws { document = try APIDocument(Self.pages) }

    @Test func `openapi.yaml is the document of the bundled pages`() throws {
        let tree = try Checkout.text("openapi.yaml")
        let service = UnderstudyService(pages: Page.bundled(factors: NoAccounts()) + Page.accounts() + Page.factors()) {
            $0.description = "The controllers of five articles, without their screens."
            $0.licence = .init("Apache License 2.0", identifier: "Apache-2.0")
        }
        let isCurrent = tree == service.openAPIDocument
        #expect(isCurrent, "understudy openapi > openapi.yaml")
        #expect(tree.hasSuffix("\n") && !tree.hasSuffix("\n\n"))
    }

    @Test func `YAML and JSON have the same content in the same order, whatever the collaborators are`() throws {
        let openAPI = OpenAPIDocument(pages: Self.pages)
        #expect(openAPI.yaml == OpenAPIDocument(pages: Page.bundled()).yaml)
        #expect(try value(ofYAML: openAPI.yaml)?.json == openAPI.json)
    }

    @Test func `Title, version, description and licence are the embedder's`() throws {
        #expect(document.root["info"]?["license"] == nil)
        let info = try APIDocument([]) {
            ($0.title, $0.version, $0.description) = ("Guestbook", "3.1", "Signs guests in.")
            $0.licence = .init("Our licence")
        }.root["info"]
        #expect(info?["title"] == "Guestbook")
        #expect(info?["version"] == "3.1")
        #expect(info?["description"]?.string?.hasPrefix("Signs guests in.\n\nEach page") == true)
        #expect(info?["license"] == ["name": "Our licence"])
        let known = try APIDocument([]) { $0.licence = .init("MIT License", identifier: "MIT") }.root["info"]
        #expect(known?["license"] == ["name": "MIT License", "identifier": "MIT"])
    }

    @Test(arguments: [
        (nil, "", "/"), (nil, "/shop", "/shop"), ("https://example.com", "", "https://example.com"),
        ("https://example.com:8443", "/shop", "https://example.com:8443/shop"),
    ])
    func `The server is the public address with the path prefix`(origin: String?, prefix: String, url: String) throws {
        let document = try APIDocument(Self.pages) {
            $0.publicOrigin = origin
            $0.pathPrefix = PathPrefix(prefix) ?? PathPrefix()
        }
        #expect(document.root["servers"]?.array?.map { $0["url"]?.string } == [url])
    }

    @Test func `The session's cookie has the name that the service gives it`() throws {
        let document = try APIDocument(Self.pages) { $0.isPublicAddressSecure = true }
        #expect(document.root["components"]?["securitySchemes"]?["session"]?["name"] == "__Host-session")
    }

    @Test(arguments: [
        ("/openapi.yaml", "application/yaml", OpenAPIDocument(pages: pages).yaml.bytes),
        ("/openapi.json", "application/json", OpenAPIDocument(pages: pages).json),
    ])
    func `The service serves the document, also compressed, if it has changed`(
        path: String,
        type: String,
        document: [UInt8]
    ) async throws {
        let gzip: Headers = ["Accept-Encoding": "gzip"]
        let services = (1...2).map { _ in UnderstudyService(pages: Self.pages) }
        let plain = try await services[0].get(path)
        #expect(plain.status == 200 && plain.header("Content-Type") == type)
        #expect(plain.body == document)
        let compressed = await services[0].respond(to: Request(.get, path, headers: gzip))
        #expect(compressed.header("Content-Encoding") == "gzip")
        #expect(compressed.body.gunzipped == document)
        // Another service with these pages, after a restart or on another node, sends the same.
        let known: Headers = ["Accept-Encoding": "gzip", "If-None-Match": try #require(compressed.header("ETag"))]
        for method in [Method.get, .head] {
            expect(await services[1].respond(to: Request(method, path, headers: known)), 304)
        }
    }

    @Test(arguments: [Self.pages, [], [Page("bell") { _ in BellController() }]])
    func `Every reference resolves`(pages: [Page]) throws {
        let document = try APIDocument(pages)
        for reference in document.references { #expect(document[reference] != nil, "\(reference)") }
    }

    @Test func `The bundled pages use every component`() {
        var components: Set<String> = []
        for (kind, named) in members(document.root["components"]) where kind != "securitySchemes" {
            for name in names(named) { components.insert("#/components/\(kind)/\(name)") }
        }
        #expect(components == document.references)
    }

    @Test func `Generated clients tolerate what later versions add`() throws {
        for schema in ["Command", "Problem", "LoginResponse", "LoginScreen", "CheckResult", "PageField"] {
            #expect(document.schema(schema)?["additionalProperties"] == true, "\(schema)")
            for (name, property) in members(document.schema(schema)?["properties"]) {
                #expect(property["enum"] == nil && property["const"] == nil, "\(schema) \(name)")
            }
        }
        #expect(document.schema("Command")?["required"] == ["sequence", "page", "command"])
    }

    @Test func `Every integer has a format and a range, and no boolean is a constant`() {
        document.visitMembers { name, schema in
            if schema["type"] == "integer" || schema["type"] == ["integer", "null"] {
                #expect(schema["format"] == "int64", "\(name)")
                #expect(schema["minimum"] != nil && schema["maximum"] != nil, "\(name)")
            }
            if schema["type"] == "boolean" { #expect(schema["const"] == nil, "\(name)") }
        }
    }

    @Test func `Every page and every route is in the document, and nothing else`() throws {
        let routes = Route.all.map { "\($0.method) \($0.path)" }
        for pages in [Self.pages, []] {
            let names = pages.flatMap { ["GET /\($0.name)", "POST /\($0.name)"] } + routes
            #expect(try APIDocument(pages).operations.map(\.name).sorted() == names.sorted())
        }
    }

    @Test func `Every operation is answered by the service`() async {
        for operation in document.operations {
            let service = UnderstudyService(pages: Self.pages)
            let target = operation.path.replacing("{code}", with: "unknownPage").replacing("{rule}", with: "email")
            let response = await service.respond(to: Request(Method(rawValue: operation.method), target))
            #expect(response.status != 404 && response.status != 405, "\(operation.name): \(response.status)")
            #expect(operation.value["responses"]?["\(response.status)"] != nil, "\(operation.name): \(response.status)")
        }
    }

    @Test func `Every code is in the description of the problem`() {
        let description = document.schema("Problem")?["properties"]?["code"]?["description"]?.string ?? ""
        for code in Problem.Code.allCases {
            #expect(description.contains("- `\(code.rawValue)` (\(code.status)): \(code.title)."))
        }
    }

    @Test func `Every error response is a problem, with examples that have its code and only members of the schema`() {
        let properties = names(document.schema("Problem")?["properties"])
        for (name, response) in members(document.root["components"]?["responses"]) {
            let content = response["content"]?["application/problem+json"]
            #expect(content?["schema"] == ["$ref": "#/components/schemas/Problem"], "\(name)")
            for (code, example) in members(content?["examples"]) {
                #expect(example["value"]?["code"]?.string == code)
                for name in names(example["value"]) { #expect(properties.contains(name), "\(code): \(name)") }
            }
        }
    }
}
