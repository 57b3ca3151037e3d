import BusinessLogic
import HTTPMessages
import UnderstudyOpenAPI

extension Route {
    /// `GET /openapi.yaml`: the OpenAPI document as YAML.
    static let openAPIYAML = Route(
        .get,
        "/openapi.yaml",
        operation: ServiceOperation(
            "showOpenapiYaml",
            .service,
            "Download this document as YAML",
            "Returns the OpenAPI document of this service as a text.",
            success: (200, ServiceOperation.answer("The document.", ContentType.yaml.description)),
            errors: [.malformedRequest]
        )
    ) { service, _ in
        Response(status: 200, contentType: .yaml, body: Array(await service.openAPI.loadedYAML().utf8))
    }

    /// `GET /openapi.json`: the OpenAPI document as JSON.
    static let openAPIJSON = Route(
        .get,
        "/openapi.json",
        operation: ServiceOperation(
            "showOpenapiJson",
            .service,
            "Download this document as JSON",
            "Returns the OpenAPI document of this service as an object.",
            success: (
                200,
                ServiceOperation.answer(
                    "The document.",
                    "application/json",
                    ["type": "object", "additionalProperties": true]
                )
            ),
            errors: [.malformedRequest]
        )
    ) { service, _ in
        Response(status: 200, contentType: .json, body: await service.openAPI.loadedJSON())
    }
}
