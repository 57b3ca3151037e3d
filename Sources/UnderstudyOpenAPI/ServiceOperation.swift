package import BusinessLogic
import HTTPMessages

/// The description of one of the service's own routes.
package struct ServiceOperation {
    package let id: String
    let tag: DocumentTag
    package let summary: String
    let description: String
    let security: Security
    private(set) var parameters: [Value] = []
    private(set) var requestBody: Value?
    let success: (status: Int, value: Value)
    /// The errors that the route can return.
    let errors: [ErrorResponse]

    package init(
        _ id: String,
        _ tag: DocumentTag,
        _ summary: String,
        _ description: String,
        security: Security = .none,
        parameters: [Value] = [],
        requestBody: Value? = nil,
        success: (status: Int, value: Value),
        errors: [ErrorResponse],
        isLimited: Bool = true
    ) {
        self.id = id
        self.tag = tag
        self.summary = summary
        self.description = description
        self.security = security
        self.parameters = parameters
        self.requestBody = requestBody
        self.success = success
        self.errors = errors + ErrorResponse.onArrival.filter { isLimited || $0.status != 429 }
    }

    /// The operation as a JSON value, for the document.
    package var value: Value {
        var value: Value.Object = [
            "operationId": .string(id),
            "tags": [.string(tag.rawValue)],
            "summary": .string(summary),
            "description": .string(description),
            "security": security.value,
        ]
        if !parameters.isEmpty { value["parameters"] = .array(parameters) }
        value["requestBody"] = requestBody
        value["responses"] = ErrorResponse.responses(success: success, errors: errors)
        return .object(value)
    }

    package static func answer(
        _ description: String,
        _ type: String? = nil,
        _ schema: Value = ["type": "string"],
        example: Value? = nil,
        headers: [ResponseHeader] = [],
        links: Value.Object = [:]
    ) -> Value {
        var answer: Value.Object = [
            "description": .string(description), "headers": ResponseHeader.references(headers),
        ]
        if let type {
            var content: Value.Object = ["schema": schema]
            if let example { content["example"] = example }
            answer["content"] = .object([type: .object(content)])
        }
        if !links.isEmpty { answer["links"] = .object(links) }
        return .object(answer)
    }

    package static let text = "text/plain; charset=utf-8"
}
