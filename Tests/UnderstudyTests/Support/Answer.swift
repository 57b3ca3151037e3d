/// A response, in process or from a socket.
typealias Answer = TestResponse

extension TestResponse {
    init(_ response: Response) {
        let headers = response.fields.map { ($0.name.description, $0.value) }
        self.init(status: response.status, headers: headers, body: response.body)
    }

    /// The body as JSON. Expects Foundation and `JSONReader` to agree.
    var json: Value {
        get throws {
            let value = try JSONDecoder().decode(Value.self, from: Data(body))
            #expect(try JSONReader.read(body).withDoublesOnly == value.withDoublesOnly)
            return value
        }
    }

    subscript(member: String) -> Value? { get throws { try json.object?[member] } }

    var commands: [Value] { get throws { try self["commands"]?.array ?? [] } }

    /// The values of the commands.
    var shown: [Value] { get throws { try commands.compactMap { $0["value"] } } }

    /// The code, if the response is a problem.
    var code: String? { get throws { try self["code"]?.string } }

    /// Whether the response is that to an earlier request with the same key.
    var isReplayed: Bool {
        let header = header("Idempotency-Replayed")
        #expect(header == nil || header == "true")
        return header != nil
    }

    /// The name and value of the cookie that the response sets.
    var cookie: String? { header("Set-Cookie").flatMap { $0.split(separator: ";").first }.map(String.init) }
}

/// The value of a JSON text.
func json(_ text: String) throws -> Value { try decoded(from: text) }

/// Expects the response's body to be that JSON, with members in any order.
func expect(_ answer: Answer, is text: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
    #expect(try answer.json == json(text), sourceLocation: sourceLocation)
}

/// Expects these header fields; `nil` if the response must not have one.
func expect(
    _ answer: Answer,
    has headers: KeyValuePairs<String, String?>,
    sourceLocation: SourceLocation = #_sourceLocation
) {
    for (name, value) in headers { #expect(answer.header(name) == value, "\(name)", sourceLocation: sourceLocation) }
}

/// Expects a status and header fields, and returns the response.
@discardableResult
func expect(
    _ answer: Answer,
    _ status: Int,
    has headers: KeyValuePairs<String, String?> = [:],
    sourceLocation: SourceLocation = #_sourceLocation
) -> Answer {
    #expect(answer.status == status, "\(answer.text)", sourceLocation: sourceLocation)
    expect(answer, has: headers, sourceLocation: sourceLocation)
    return answer
}

func expect(_ response: Response, _ status: Int, sourceLocation: SourceLocation = #_sourceLocation) {
    expect(Answer(response), status, sourceLocation: sourceLocation)
}

/// Expects the problem with that status, code and other members, and returns the response.
@discardableResult
func expect(
    _ answer: Answer,
    _ status: Int,
    _ code: String,
    _ members: Value.Object = [:],
    has headers: KeyValuePairs<String, String?> = [:],
    sourceLocation: SourceLocation = #_sourceLocation
) throws -> Answer {
    expect(answer, status, has: headers, sourceLocation: sourceLocation)
    #expect(try answer.code == code, sourceLocation: sourceLocation)
    for (name, value) in members { #expect(try answer[name] == value, "\(name)", sourceLocation: sourceLocation) }
    return answer
}
