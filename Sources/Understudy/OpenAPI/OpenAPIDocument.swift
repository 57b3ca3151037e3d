import BusinessLogic
package import UnderstudyPages
import YAML

/// The OpenAPI 3.1 document of a service, created from the declarations of its pages and routes.
///
/// Each property creates its text anew, which takes tens of milliseconds.
package struct OpenAPIDocument: Sendable {
    private let pages: Pages
    private let rules: [ValidationRule]
    private let header: Header

    /// What the document says about the service as a whole.
    package struct Header: Sendable {
        /// The name of the API.
        package var title: String
        /// The version of the API.
        package var version: String
        /// What the API is for, as Markdown; `nil` to describe only how to use pages.
        package var description: String?
        /// The licence: its name, and its SPDX identifier if it has one; `nil` if the API has no licence.
        package var licence: (name: String, identifier: String?)?
        /// The scheme, the host and the port that clients use; `nil` if they are unknown.
        package var origin: String?
        /// The service's path prefix.
        package var prefix = PathPrefix()
        /// The name of the session's cookie.
        package var cookieName = "session"

        package init(title: String, version: String) {
            self.title = title
            self.version = version
        }
    }

    /// Creates the document of a service.
    ///
    /// - Parameters:
    ///   - pages: the pages.
    ///   - rules: all rules of `/validate`.
    ///   - header: what the document says about the service as a whole.
    package init(pages: Pages, rules: [ValidationRule], header: Header) {
        self.pages = pages
        self.rules = rules
        self.header = header
    }

    /// The document as YAML, with a line feed at the end.
    package var yaml: String { document.yaml }

    /// The same document as JSON.
    package var json: [UInt8] { document.json }

    private var document: Value {
        let names = DocumentNames(pages.all, used: DocumentTemplate.names)
        let described = zip(pages.all, names.pages).map { DescribedPage(page: $0, names: $1, links: pages.links) }
        let paths = paths(described)
        return [
            "openapi": "3.1.0",
            "info": info,
            "servers": [["url": .string(serverURL), "description": "The server of this document."]],
            "tags": DocumentTemplate.tags,
            "paths": .object(paths),
            "components": components(described, types: names.types.schemas, usedIn: paths),
        ]
    }

    private var serverURL: String {
        let url = (header.origin ?? "") + header.prefix.description
        return url.isEmpty ? "/" : url
    }

    private var info: Value {
        let description = [
            header.description, DocumentTemplate.text("introduction"),
            CurlExample(of: pages.all, below: header.prefix)?.text, DocumentTemplate.text("explanation"),
        ].compactMap(\.self).joined(separator: "\n\n")
        var info: Value.Object = [
            "title": .string(header.title),
            "version": .string(header.version),
            "description": .string(description),
        ]
        if let licence = header.licence {
            info["license"] = ["name": .string(licence.name)]
            if let identifier = licence.identifier {
                info["license"] = ["name": .string(licence.name), "identifier": .string(identifier)]
            }
        }
        return .object(info)
    }

    private func paths(_ pages: [DescribedPage]) -> Value.Object {
        var paths: Value.Object = [:]
        for page in pages {
            paths["/" + page.page.name] = ["get": page.showOperation, "post": page.eventOperation(among: pages)]
        }
        for (path, operations) in DocumentTemplate.paths(rules) { paths[path] = operations }
        for (path, operations) in paths {
            paths[path] = DocumentTemplate.completed(operations, isLimited: !PathPrefix().isProbe(path[...]))
        }
        return paths
    }

    /// - Parameter types: the schemas of Swift types, by name.
    private func components(_ pages: [DescribedPage], types: Value.Object, usedIn paths: Value.Object) -> Value {
        var schemas: Value.Object = [:]
        for page in pages {
            for (name, schema) in page.requestSchemas { schemas[name] = schema }
            for (name, schema) in page.responseSchemas { schemas[name] = schema }
        }
        for (name, schema) in types { schemas[name] = schema }
        for (name, schema) in DocumentTemplate.schemas(rules) { schemas[name] = schema }

        var responses: Value.Object = [:]
        for error in ErrorResponse.all { responses[error.name] = error.value(below: header.prefix) }
        var securitySchemes = DocumentTemplate.part("securitySchemes")
        securitySchemes["session"]?["name"] = .string(header.cookieName)

        return Value.object([
            "schemas": .object(schemas),
            "responses": .object(responses),
            "parameters": .object(DocumentTemplate.part("parameters")),
            "headers": .object(DocumentTemplate.headers),
            "securitySchemes": .object(securitySchemes),
        ]).withoutUnusedComponents(in: .object(paths))
    }
}

extension Value {
    /// A reference to one of the document's components.
    static func reference(_ kind: StaticString, _ name: String) -> Value {
        ["$ref": .string("#/components/\(kind)/\(name)")]
    }

    /// A reference to one of the document's schemas.
    static func schema(_ name: String) -> Value { reference("schemas", name) }
}
