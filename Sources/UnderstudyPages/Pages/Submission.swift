package import BusinessLogic
package import HTTPMessages

/// The content of a request to a page: an event, and values of fields.
package struct Submission: Equatable {
    /// `nil` if the request names none.
    package var event: Event?
    /// The values of the fields; of a form, the texts by name, and an array of texts for a name that occurs more than once.
    package var values: Value.Object = [:]
    /// Where the values are in the body (RFC 6901): `/values`, or nothing.
    package private(set) var pointer = ""
    var isForm = false

    /// Reads a body: JSON with or without 'event' and 'values', or a form.
    package init(_ request: Request) throws(Problem) { try self.init(headers: request.headers, body: request.body) }

    package init(event: Event? = nil, values: Value.Object = [:]) { (self.event, self.values) = (event, values) }

    /// Reads the query of a URL, which has the format of a form. Returns `nil` if it is malformed.
    package init?(query: Substring) {
        isForm = true
        guard (try? read(form: Array(query.utf8))) != nil else { return nil }
    }

    package init(headers: Headers, body: [UInt8]) throws(Problem) {
        switch try BodyType(headers, isEmpty: body.isEmpty) {
        case .none: break
        case .json: try read(json: body)
        case .form:
            isForm = true
            try read(form: body)
        }
    }

    /// `nil` if the body is JSON, but not an object.
    package static func jsonObject(_ request: Request) throws(Problem) -> Value.Object? {
        let advice = "Send application/json (curl --json)."
        guard try BodyType(request.headers, isEmpty: request.body.isEmpty, advice: advice) == .json else {
            throw Problem(.unsupportedMediaType, advice)
        }
        return try value(of: request.body).object
    }

    private static func value(of body: [UInt8]) throws(Problem) -> Value {
        do {
            return try JSONReader.read(body)
        } catch {
            throw Problem(
                .malformedJSON,
                "At byte \(error.offset): \(error.reason).",
                members: ["offset": Value(error.offset)]
            )
        }
    }

    private mutating func read(json body: [UInt8]) throws(Problem) {
        // Many clients send the header with an empty body, or null, if they have nothing to send.
        if body.isEmpty { return }
        let value = try Self.value(of: body)
        if value == .null { return }
        guard case .object(let object) = value else { throw .malformedBody("The body must be an object.", at: "") }
        if object.contains("event") || object.contains("values") {
            pointer = "/values"
            for (name, value) in object { try readEnvelope(name, value) }
        } else {
            values = object
        }
    }

    private mutating func readEnvelope(_ name: String, _ value: Value) throws(Problem) {
        if name.hasSameBytes(as: "event") {
            guard case .string(let name) = value else {
                throw .malformedBody("The event must be a string.", at: "/event")
            }
            event = Event(name)
        } else if name.hasSameBytes(as: "values") {
            guard case .object(let object) = value else {
                throw .malformedBody("The values must be an object.", at: "/values")
            }
            values = object
        } else {
            throw .malformedBody(
                "An object with 'event' or 'values' must have no other member; fields belong in 'values'.",
                at: "/" + name.pointerToken
            )
        }
    }

    private mutating func read(form body: [UInt8]) throws(Problem) {
        if let first = body.first(where: { $0 > 0x20 }), first == UInt8(ascii: "{") || first == UInt8(ascii: "[") {
            throw .malformedBody(
                "This is JSON sent as a form. Send it with Content-Type: application/json (curl --json).",
                at: ""
            )
        }
        // One field more than allowed, so that rejecting a form does not split all of it.
        let fields = body.split(separator: UInt8(ascii: "&"), maxSplits: Self.maximumFormFields)
        guard fields.count <= Self.maximumFormFields else {
            throw .malformedBody("A form may have at most \(Self.maximumFormFields) fields.", at: "")
        }
        var positions: [[UInt8]: Int] = [:]
        var texts: [(name: String, texts: [Value])] = []
        for field in fields {
            let end = field.firstIndex(of: UInt8(ascii: "=")) ?? field.endIndex
            guard let name = Self.decode(field[..<end]), let text = Self.decode(field[end...].dropFirst()) else {
                throw .malformedBody("The form is not percent-encoded UTF-8.", at: "")
            }
            if name.hasSameBytes(as: "event") {
                guard event == nil else { throw .malformedBody("The field 'event' occurs twice.", at: "/event") }
                event = Event(text)
            } else {
                let key = Array(name.utf8)
                if let position = positions[key] {
                    texts[position].texts.append(.string(text))
                } else {
                    positions[key] = texts.count
                    texts.append((name, [.string(text)]))
                }
            }
        }
        values = Value.Object(capacity: texts.count)
        for (name, texts) in texts { values.append(name, texts.count == 1 ? texts[0] : .array(texts)) }
    }

    package static let maximumFormFields = 1000

    /// Decodes a form's name or value (URL standard, section 5.1): `+` is a space, `%` and two hexadecimal digits a byte. Returns `nil` if it is not
    /// percent-encoded UTF-8.
    static func decode(_ encoded: Slice<UnsafeBufferPointer<UInt8>>) -> String? {
        guard encoded.contains(where: isEncoding) else {
            return String(validating: UnsafeBufferPointer(rebasing: encoded), as: UTF8.self)
        }
        return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: encoded.count) { decoded in
            var count = 0
            var rest = encoded
            while let byte = rest.popFirst() {
                switch byte {
                case UInt8(ascii: "+"): decoded[count] = UInt8(ascii: " ")
                case UInt8(ascii: "%"):
                    guard let high = rest.popFirst()?.hexadecimalDigit, let low = rest.popFirst()?.hexadecimalDigit
                    else { return nil }
                    decoded[count] = high << 4 | low
                default: decoded[count] = byte
                }
                count += 1
            }
            return String(validating: decoded[..<count], as: UTF8.self)
        }
    }

    private static func decode(_ encoded: ArraySlice<UInt8>) -> String? {
        encoded.withUnsafeBufferPointer { decode($0[...]) }
    }

    static func isEncoding(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "%") || byte == UInt8(ascii: "+") }
}

private enum BodyType {
    case none, json, form

    init(_ headers: Headers, isEmpty: Bool, advice: String = Self.advice) throws(Problem) {
        if headers.first(.contentType, is: "application/json") {
            self = .json
            return
        }
        guard let value = headers.first(.contentType) else {
            guard isEmpty else {
                throw Problem(.unsupportedMediaType, "The request has no Content-Type. " + advice)
            }
            self = .none
            return
        }
        let essence = value.prefix { $0 != UInt8(ascii: ";") }.trimmed
        if essence.equalsIgnoringCase("application/json".utf8) {
            self = .json
        } else if essence.equalsIgnoringCase("application/x-www-form-urlencoded".utf8) {
            self = .form
        } else {
            let type = String(decoding: value, as: UTF8.self)
            throw Problem(.unsupportedMediaType, "'\(type.clipped)' is not supported. " + advice)
        }
    }

    private static let advice =
        "Send application/json (curl --json) or application/x-www-form-urlencoded (curl -d name=value)."
}
