import BundledPages
import BusinessLogic
import Foundation
import MicroHTTP
import Testing

@testable import Understudy

struct OpenAPIDocumentTests {
    private static let pages = Page.demo()
    private let document: APIDocument

    init() throws {
        document = try APIDocument(Self.pages)
    }

    @Test func `openapi.yaml is the document of the bundled pages`() throws {
        var root = URL(filePath: #filePath)
        for _ in 1...4 { root.deleteLastPathComponent() }
        let tree = try String(contentsOf: root.appending(path: "openapi.yaml"), encoding: .utf8)
        let isCurrent = tree == UnderstudyService(pages: Page.bundled()).openAPIDocument
        #expect(isCurrent, "understudy openapi > openapi.yaml")
        #expect(tree.hasSuffix("\n") && !tree.hasSuffix("\n\n"))
    }

    @Test func `The document does not depend on the collaborators`() {
        #expect(OpenAPIDocument(pages: Page.demo()).yaml == OpenAPIDocument(pages: Page.bundled()).yaml)
    }

    @Test func `YAML and JSON have the same content in the same order`() throws {
        let openAPI = OpenAPIDocument(pages: Self.pages)
        #expect(try value(ofYAML: openAPI.yaml)?.json == openAPI.json)
    }

    @Test func `The sections are in reading order`() {
        #expect(names(document.root) == ["openapi", "info", "servers", "tags", "paths", "components"])
    }

    @Test func `The document has the service's version`() {
        #expect(document.root["info"]?["version"]?.string == UnderstudyService.version)
    }

    @Test func `The service serves the document as YAML and as JSON`() async {
        let service = UnderstudyService(pages: Self.pages)
        let yaml = await service.respond(to: Request(.get, "/openapi.yaml"))
        #expect(yaml.status == 200 && yaml.contentType?.description == "application/yaml")
        #expect(String(decoding: yaml.body, as: UTF8.self) == OpenAPIDocument(pages: Self.pages).yaml)
        let json = await service.respond(to: Request(.get, "/openapi.json"))
        #expect(json.status == 200 && json.contentType?.description == "application/json")
        #expect(json.body == OpenAPIDocument(pages: Self.pages).json)
    }

    @Test func `Every reference resolves, and every component is used`() {
        for reference in document.references { #expect(document[reference] != nil, "\(reference)") }
        var components: Set<String> = []
        for (kind, named) in members(document.root["components"]) where kind != "securitySchemes" {
            for name in names(named) { components.insert("#/components/\(kind)/\(name)") }
        }
        // The discriminator of Command names its schemas without a reference, although they are its alternatives.
        #expect(components == document.references)
    }

    @Test func `Every page and every route is in the document, and nothing else`() {
        let pages = Self.pages.flatMap { ["GET /\($0.name)", "POST /\($0.name)"] }
        let routes = Route.all.map { "\($0.method) \($0.path)" }
        #expect(document.operations.map(\.name).sorted() == (pages + routes).sorted())
    }

    @Test func `Every operation is answered by the service`() async {
        for operation in document.operations {
            let service = UnderstudyService(pages: Self.pages)
            let target = operation.path.replacing("{code}", with: "unknownPage")
            let response = await service.respond(to: Request(Method(rawValue: operation.method), target))
            #expect(response.status != 404 && response.status != 405, "\(operation.name): \(response.status)")
            #expect(operation.value["responses"]?["\(response.status)"] != nil, "\(operation.name): \(response.status)")
        }
    }

    @Test func `Operations have unique names`() {
        let names = document.operations.compactMap { $0.value["operationId"]?.string }
        #expect(names.count == document.operations.count && Set(names).count == names.count)
    }

    @Test func `Every code is in the document, and nothing else`() {
        let codes = Problem.Code.allCases.map(\.rawValue)
        #expect(strings(document["#/components/schemas/ProblemCode"]?["enum"]) == codes)
        let parameter = document.operation("get", "/problems/{code}")?["parameters"]?.array?.first
        #expect(parameter?["schema"]?["$ref"]?.string == "#/components/schemas/ProblemCode")
    }

    @Test func `Every code is listed at an operation, except codes for requests outside the document`() {
        let listed = document.operations.flatMap { operation in
            names(operation.value["responses"]).compactMap { Int($0) }.flatMap { document.codes(operation.value, $0) }
        }
        let unlisted = Set(Problem.Code.allCases.map(\.rawValue)).subtracting(listed)
        #expect(unlisted == ["unknownPage", "methodNotAllowed"])
    }

    @Test func `All codes of an error response have its status`() throws {
        for operation in document.operations {
            for status in names(operation.value["responses"]).compactMap({ Int($0) }) where status >= 400 {
                let codes = document.codes(operation.value, status)
                #expect(!codes.isEmpty, "\(operation.name) \(status)")
                for code in codes {
                    #expect(Problem.Code(rawValue: code)?.status == status, "\(operation.name): \(code)")
                }
            }
        }
    }

    @Test func `Every response lists the common headers`() {
        let common = Set(CommonHeaders.service.fields.map(\.name.description) + ["X-Request-ID"])
        for operation in document.operations {
            for (status, response) in members(operation.value["responses"]) {
                let headers = Set(names(document.resolve(response)?["headers"]))
                #expect(headers.isSuperset(of: common), "\(operation.name) \(status)")
            }
        }
    }
}
