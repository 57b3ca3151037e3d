import BusinessLogic
import Synchronization
package import UnderstudyPages

/// The OpenAPI 3.1 document of a service, created from the declarations of its pages and routes.
///
/// Its text is created at the first request for it and then kept, because most processes never serve it.
package struct OpenAPIDocument: Sendable {
    private let yamlText: Lazy<String>
    private let jsonText: Lazy<[UInt8]>

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

    fileprivate struct Content {
        let pages: [DescribedPage]
        /// The schemas of Swift types, by name.
        let types: Value.Object
        let rules: [ValidationRule]
        let header: Header
    }

    /// Creates the document of a service.
    ///
    /// - Parameters:
    ///   - pages: the pages.
    ///   - rules: all rules of `/validate`.
    ///   - header: what the document says about the service as a whole.
    package init(pages: Pages, rules: [ValidationRule], header: Header) {
        let document = Lazy {
            let names = DocumentNames(pages.all, used: DocumentTemplate.names)
            return Content(
                pages: zip(pages.all, names.pages).map { DescribedPage(page: $0, names: $1, links: pages.links) },
                types: names.types.schemas,
                rules: rules,
                header: header
            ).document
        }
        yamlText = Lazy { document.value.yaml }
        jsonText = Lazy { document.value.json }
    }

    /// The document as YAML, with a line feed at the end.
    ///
    /// The first call takes tens of milliseconds: on an event loop, call ``loadedYAML()``.
    package var yaml: String { yamlText.value }

    /// The same document as JSON. On an event loop, call ``loadedJSON()``.
    package var json: [UInt8] { jsonText.value }

    /// The same as ``yaml``. Creates the text on a thread that is no event loop.
    package func loadedYAML() async -> String { await yamlText.loaded() }

    /// The same as ``json``. Creates the text on a thread that is no event loop.
    package func loadedJSON() async -> [UInt8] { await jsonText.loaded() }
}

extension OpenAPIDocument.Content {
    fileprivate var document: Value {
        [
            "openapi": "3.1.0",
            "info": info,
            "servers": [["url": .string(serverURL), "description": "The server of this document."]],
            "tags": DocumentTemplate.tags,
            "paths": .object(paths),
            "components": components,
        ]
    }

    private var serverURL: String {
        let url = (header.origin ?? "") + header.prefix.description
        return url.isEmpty ? "/" : url
    }

    private var info: Value {
        let description = [
            header.description, DocumentTemplate.text("introduction"),
            CurlExample(of: pages.map(\.page), below: header.prefix)?.text, DocumentTemplate.text("explanation"),
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

    private var paths: Value.Object {
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

    private var components: Value {
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

/// A value that is created when it is first read.
private final class Lazy<Element: Sendable>: Sendable {
    private let made = Mutex<Element?>(nil)
    private let make: @Sendable () -> Element

    init(_ make: @escaping @Sendable () -> Element) {
        self.make = make
    }

    var value: Element {
        made.withLock { made in
            if let made { return made }
            let value = make()
            made = value
            return value
        }
    }

    /// The same as ``value``, without blocking the caller's thread.
    func loaded() async -> Element {
        // The lock is taken while the value is being created.
        if let made = made.withLockIfAvailable(\.self) ?? nil { return made }
        return await Task.detached { self.value }.value
    }
}
