package import BusinessLogic
package import HTTPMessages
import Synchronization
package import UnderstudyPages

/// The OpenAPI 3.1 document of a service, created from the declarations of its pages and routes.
///
/// Its text is created at the first request for it and then kept, because most processes never serve it.
package struct OpenAPIDocument: Sendable {
    private let yamlText: Lazy<String>
    private let jsonText: Lazy<[UInt8]>

    /// An endpoint of the service that is not a page.
    package struct Endpoint: Sendable {
        package let method: Method
        /// The path without the service's prefix.
        package let path: String
        /// Describes the endpoint of a service with these rules.
        let operation: @Sendable ([ValidationRule]) -> ServiceOperation

        package init(
            _ method: Method,
            _ path: String,
            operation: @escaping @Sendable ([ValidationRule]) -> ServiceOperation
        ) {
            self.method = method
            self.path = path
            self.operation = operation
        }
    }

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
        let rules: [ValidationRule]
        let endpoints: [Endpoint]
        let header: Header
    }

    /// Creates the document of a service.
    ///
    /// - Parameters:
    ///   - pages: the pages.
    ///   - rules: all rules of `/validate`.
    ///   - endpoints: the service's other endpoints.
    ///   - header: what the document says about the service as a whole.
    package init(pages: Pages, rules: [ValidationRule], endpoints: [Endpoint], header: Header) {
        let document = Lazy {
            let operations = endpoints.map { $0.operation(rules).id }
            let names = DocumentNames(pages.all, used: WireSchema.names + operations).pages
            return Content(
                pages: zip(pages.all, names).map { DescribedPage(page: $0, names: $1, links: pages.links) },
                rules: rules,
                endpoints: endpoints,
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
            "tags": .array(
                DocumentTag.allCases.map { ["name": .string($0.rawValue), "description": .string($0.description)] }
            ),
            "paths": .object(paths),
            "components": components,
        ]
    }

    private var serverURL: String {
        let url = (header.origin ?? "") + header.prefix.description
        return url.isEmpty ? "/" : url
    }

    private var info: Value {
        let own = header.description.map { $0 + "\n\n" } ?? ""
        let example = CurlExample(of: pages.map(\.page), below: header.prefix).map { $0.text + "\n\n" } ?? ""
        var info: Value.Object = [
            "title": .string(header.title),
            "version": .string(header.version),
            "description": .string(
                """
                \(own)\
                Each page contains the logic of one screen. Post an event to a page, such as a pressed button, with the
                values that the screen contains. The response lists the commands that the logic gives to the screen: render
                a value, show an alert, go to another page. GET returns what the page shows now, and what it declares.

                A client that stores cookies needs nothing else: its first event starts a session. Any other client starts
                a session with `POST /session` and sends its token as `Authorization: Bearer TOKEN`. A login replaces the
                token: the response contains the new one.

                \(example)\
                Status 200 means that the logic handled the event. `ok` in the response is `false` if a message reports an
                error, such as a wrong password. A request that the server cannot handle gets an error (RFC 9457) with a
                `code` that never changes. Ignore members, commands and codes that you do not know: later versions add some.

                The schemas describe complete requests in JSON. The server also accepts shorter ones: an object without
                `event` and `values` contains the values of the page's default event. And it accepts forms
                (`application/x-www-form-urlencoded`): the field `event`, which may be absent, and a field for each value.

                Texts for users, and the titles of errors, are in the language that `Accept-Language` asks for, if the service has
                it; `Content-Language` in the response names the language. Codes and parameters are the same in every language.

                A request may name itself with the header `X-Request-ID`. All times are in UTC (RFC 3339). HEAD is allowed
                with GET, and OPTIONS everywhere. Scripts of other sites may use the service from a browser if the operator
                allows their origin.
                """
            ),
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
        for path in endpoints.map(\.path) where !paths.contains(path) {
            var operations: Value.Object = [:]
            for endpoint in endpoints where endpoint.path == path {
                operations[endpoint.method.rawValue.lowercased()] = endpoint.operation(rules).value
            }
            paths[path] = .object(operations)
        }
        return paths
    }

    private var components: Value {
        var schemas: Value.Object = [:]
        for page in pages {
            for (name, schema) in page.requestSchemas { schemas[name] = schema }
            for (name, schema) in page.responseSchemas { schemas[name] = schema }
        }
        for (name, schema) in WireSchema.schemas(rules) { schemas[name] = schema }

        var responses: Value.Object = [:]
        let errors = (pages.isEmpty ? [] : DescribedPage.errors) + endpoints.flatMap { $0.operation(rules).errors }
        for error in errors.sorted(by: { $0.status < $1.status }) {
            responses[error.name] = error.value(below: header.prefix)
        }
        var securitySchemes = WireSchema.part("securitySchemes")
        securitySchemes["session"]?["name"] = .string(header.cookieName)

        return Value.object([
            "schemas": .object(schemas),
            "responses": .object(responses),
            "parameters": .object(WireSchema.part("parameters")),
            "headers": .object(ResponseHeader.components),
            "securitySchemes": .object(securitySchemes),
        ]).withoutUnusedComponents(in: .object(paths))
    }
}

/// The sections of the document, in the order in which it lists them.
package enum DocumentTag: String, CaseIterable {
    case pages, sessions, rules, service

    var description: String {
        switch self {
        case .pages: "Send events to pages, and show what they show now."
        case .sessions: "Start and end a session, and read who is logged in and which commands were given."
        case .rules: "Check values against the rules of the pages, without a session."
        case .service: "The health of the service, its documentation and its errors."
        }
    }
}

extension Value {
    /// A reference to one of the document's components.
    static func reference(_ kind: StaticString, _ name: String) -> Value {
        ["$ref": .string("#/components/\(kind)/\(name)")]
    }

    /// A reference to one of the document's schemas.
    package static func schema(_ name: String) -> Value { reference("schemas", name) }
}

/// A value that is created when it is first read.
private final class Lazy<Element: Sendable>: Sendable {
    private let made = Mutex<Element?>(nil)
    private let make: @Sendable () -> Element

    init(_ make: @escaping @Sendable () -> Element) {
        self.make = make
    }

    package var value: Element {
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
