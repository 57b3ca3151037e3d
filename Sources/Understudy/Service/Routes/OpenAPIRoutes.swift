import BusinessLogic
import MicroHTTP

extension Route {
    /// `GET /openapi.yaml`: the OpenAPI document as YAML.
    static let openAPIYAML = Route(
        .get,
        "/openapi.yaml",
        operation: ServiceOperation(
            "openAPIYAML",
            .service,
            "Get this document as YAML",
            "The document of the pages that this very service serves.",
            success: (200, ServiceOperation.answer("The document.", ContentType.yaml.description)),
            errors: [.malformedRequest]
        )
    ) { service, _ in
        Response(status: 200, contentType: .yaml, body: Array(service.openAPI.yaml.utf8))
    }

    /// `GET /openapi.json`: the OpenAPI document as JSON.
    static let openAPIJSON = Route(
        .get,
        "/openapi.json",
        operation: ServiceOperation(
            "openAPIJSON",
            .service,
            "Get this document as JSON",
            "The same document as `/openapi.yaml`.",
            success: (200, ServiceOperation.answer("The document.", "application/json", ["type": "object"])),
            errors: [.malformedRequest]
        )
    ) { service, _ in
        Response(status: 200, contentType: .json, body: service.openAPI.json)
    }
}
