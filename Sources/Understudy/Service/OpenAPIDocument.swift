import BusinessLogic
import UnderstudyPages

/// The OpenAPI 3.1 document of a service, created from the declarations of its pages and routes.
///
/// Each property creates its text anew, which takes tens of milliseconds.
package struct OpenAPIDocument: Sendable {
    private let pages: Pages
    private let rules: [ValidationRule]
    private let configuration: ServiceConfiguration

    /// The pages come with the rules that they register, and the settings with other rules.
    init(pages: [Page], configuration: ServiceConfiguration = ServiceConfiguration()) {
        self.pages = Pages(pages, below: configuration.pathPrefix)
        rules = pages.flatMap(\.rules) + configuration.rules
        self.configuration = configuration
    }

    package var yaml: String { document.yaml }

    package var json: [UInt8] { document.json }

    private var document: Value {
        let names = DocumentNames(pages.all, used: DocumentTemplate.names)
        let described = zip(pages.all, names.pages).map {
            DescribedPage(page: $0, names: $1, types: names.types, links: pages.links)
        }
        return [
            "openapi": "3.1.0",
            "info": info,
            "servers": [["url": .string(serverURL), "description": "The server of this document."]],
            "tags": DocumentTemplate.tags,
            "paths": .object(paths(described)),
            "components": components(described, types: names.types.schemas),
        ]
    }

    private var serverURL: String {
        let url = (configuration.publicOrigin ?? "") + configuration.pathPrefix.description
        return url.isEmpty ? "/" : url
    }

    private var info: Value {
        let description = [configuration.description, DocumentTemplate.introduction]
        var info: Value.Object = [
            "title": .string(configuration.title),
            "version": .string(configuration.version),
            "description": .string(description.compactMap(\.self).joined(separator: "\n\n")),
        ]
        if let licence = configuration.licence {
            var members: Value.Object = ["name": .string(licence.name)]
            members["identifier"] = licence.identifier.map(Value.string)
            info["license"] = .object(members)
        }
        return .object(info)
    }

    private func paths(_ pages: [DescribedPage]) -> Value.Object {
        var paths: Value.Object = [:]
        for page in pages {
            paths["/" + page.page.name] = ["get": page.showOperation, "post": page.eventOperation]
        }
        for (path, operations) in DocumentTemplate.paths(rules) { paths[path] = operations }
        for (path, operations) in paths {
            paths[path] = DocumentTemplate.completed(operations, isLimited: !PathPrefix().isProbe(path[...]))
        }
        return paths
    }

    private func components(_ pages: [DescribedPage], types: Value.Object) -> Value {
        var schemas: Value.Object = [:]
        for page in pages {
            for (name, schema) in page.requestSchemas { schemas[name] = schema }
            for (name, schema) in page.responseSchemas { schemas[name] = schema }
        }
        for (name, schema) in types { schemas[name] = schema }
        for (name, schema) in DocumentTemplate.schemas(rules) { schemas[name] = schema }

        var securitySchemes = DocumentTemplate.part("securitySchemes")
        securitySchemes["session"]?["name"] = "\(configuration.cookieName)"

        return [
            "schemas": .object(schemas),
            "responses": .object(DocumentTemplate.errorResponses(below: configuration.pathPrefix)),
            "parameters": .object(DocumentTemplate.part("parameters")),
            "headers": .object(DocumentTemplate.part("headers")),
            "securitySchemes": .object(securitySchemes),
        ]
    }
}
