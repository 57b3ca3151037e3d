import BusinessLogic
import MicroHTTP
import Synchronization

/// The OpenAPI 3.1 document of a service, created from the declarations of its pages and routes.
///
/// Its text is created at the first request for it and then kept, because most processes never serve it.
struct OpenAPIDocument: Sendable {
    private let yamlText: Lazy<String>
    private let jsonText: Lazy<[UInt8]>

    /// An endpoint of the service that is not a page.
    struct Endpoint: Sendable {
        let method: Method
        /// The path without the service's prefix.
        let path: String
        let operation: @Sendable () -> ServiceOperation
    }

    fileprivate struct Content {
        let pages: [Page]
        let rules: [ValidationRule]
        let endpoints: [Endpoint]
        let title: String
        let version: String
        let prefix: PathPrefix
    }

    /// Creates the document of a service.
    ///
    /// - Parameters:
    ///   - pages: the pages.
    ///   - rules: all rules of `/validate`.
    ///   - endpoints: the service's other endpoints.
    ///   - title: the name of the API.
    ///   - version: the version of the API.
    ///   - prefix: the service's path prefix.
    init(
        pages: [Page],
        rules: [ValidationRule],
        endpoints: [Endpoint],
        title: String,
        version: String,
        below prefix: PathPrefix
    ) {
        let content = Content(
            pages: pages,
            rules: rules,
            endpoints: endpoints,
            title: title,
            version: version,
            prefix: prefix
        )
        yamlText = Lazy { content.document.yaml }
        jsonText = Lazy { content.document.json }
    }

    /// The document as YAML, with a line feed at the end.
    var yaml: String { yamlText.value }

    /// The same document as JSON.
    var json: [UInt8] { jsonText.value }
}

extension OpenAPIDocument.Content {
    fileprivate var document: Value {
        [
            "openapi": "3.1.0",
            "info": info,
            "servers": [
                [
                    "url": .string(prefix.isEmpty ? "/" : prefix.description),
                    "description": "The server that this document comes from.",
                ]
            ],
            "tags": .array(
                DocumentTag.allCases.map { ["name": .string($0.rawValue), "description": .string($0.description)] }
            ),
            "paths": .object(paths),
            "components": components,
        ]
    }

    private var info: Value {
        let example = CurlExample(of: pages, below: prefix).map { $0.text + "\n\n" } ?? ""
        return [
            "title": .string(title),
            "version": .string(version),
            "summary": "Business logic that was written to drive a screen, behind HTTP.",
            "description": .string(
                """
                Every page is the logic of one screen, without the screen. Post an event to it, such as a button that
                was pressed, together with what the screen's fields hold; the answer lists the commands that a screen
                would have received: show this text, show an alert, go to another page. GET the same path to see what
                the screen shows now and which events it knows.

                A client that keeps cookies needs nothing else: its first event starts a session. Any other client
                starts one with `POST /session` and sends the token along as `Authorization: Bearer TOKEN`.

                \(example)\
                A business outcome is never an error: a wrong password is an event that was handled, and answers 200.
                Errors are problems as in RFC 9457, each with a `code` that never changes. Clients ignore members and
                commands that they do not know. HEAD works where GET does, OPTIONS everywhere. All times are RFC 3339 in UTC.

                Scripts of other sites may use the service from a browser where `--allowed-origins` names their origin: then all
                answers, problems too, carry the headers of CORS, and preflights are answered.
                """
            ),
            "license": ["name": "Apache-2.0", "identifier": "Apache-2.0"],
        ]
    }

    private var paths: Value.Object {
        var paths: Value.Object = [:]
        for page in pages {
            paths["/" + page.name] = pathItem(["get": page.showOperation, "post": page.eventOperation])
        }
        for path in endpoints.map(\.path) where !paths.contains(path) {
            var operations: Value.Object = [:]
            for endpoint in endpoints where endpoint.path == path {
                operations[endpoint.method.rawValue.lowercased()] = endpoint.operation().value
            }
            paths[path] = pathItem(operations)
        }
        return paths
    }

    private func pathItem(_ operations: Value.Object) -> Value {
        var item: Value.Object = ["parameters": [Parameter.requestID.reference]]
        for (method, operation) in operations { item[method] = operation }
        return .object(item)
    }

    private var components: Value {
        var schemas: Value.Object = [:]
        for page in pages {
            for (name, schema) in page.schemas { schemas[name] = schema }
        }
        for (name, schema) in Array(WireSchema.answers) + WireSchema.validation(rules) { schemas[name] = schema }
        schemas["Problem"] = Problem.schema
        schemas["ProblemCode"] = Problem.Code.schema

        var responses: Value.Object = [:]
        let errors = (pages.isEmpty ? [] : Page.errors) + endpoints.flatMap { $0.operation().errors }
        for error in errors.sorted(by: { $0.status < $1.status }) { responses[error.name] = error.value }

        return [
            "schemas": .object(schemas),
            "responses": .object(responses),
            "parameters": .object(Parameter.components),
            "headers": .object(ResponseHeader.components),
            "securitySchemes": Security.schemes,
        ]
    }
}

/// The sections of the document, in the order in which it lists them.
enum DocumentTag: String, CaseIterable {
    case pages, sessions, rules, service

    var description: String {
        switch self {
        case .pages: "The screens' logic: send events, and see what is shown."
        case .sessions: "What one client has going on: who is logged in, and what has happened so far."
        case .rules: "What the pages accept, for whoever wants to know beforehand."
        case .service: "Whether the service is well, and what it offers."
        }
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
}
