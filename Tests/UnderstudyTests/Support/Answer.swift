import BusinessLogic
import Foundation
import MicroHTTP
import TestSupport
import Testing

@testable import Understudy

/// An answer, whichever way it came.
struct Answer: Sendable {
    let status: Int
    let headers: [(name: String, value: String)]
    let body: [UInt8]

    init(_ response: Response) {
        status = response.status
        headers = response.fields.map { ($0.name.description, $0.value) }
        body = response.body
    }

    init(_ reply: RawConnection.Reply) {
        status = reply.status
        headers = reply.headers
        body = reply.body
    }

    /// The first header of that name.
    func header(_ name: String) -> String? {
        headers.first { $0.name.lowercased() == name.lowercased() }?.value
    }

    var text: String { String(decoding: body, as: UTF8.self) }

    /// The body as JSON, as both a lenient and our own strict reader have it.
    var json: Value {
        get throws {
            let value = try JSONDecoder().decode(Value.self, from: Data(body))
            #expect(try JSONReader.read(body).withDoublesOnly == value.withDoublesOnly)
            return value
        }
    }

    subscript(member: String) -> Value? {
        get throws { try json.object?[member] }
    }

    /// The code of the problem that the answer is, if it is one.
    var code: String? {
        get throws { try self["code"]?.string }
    }

    /// The id in the cookie that is to be kept.
    var cookie: String? {
        header("Set-Cookie").flatMap { $0.split(separator: ";").first }.map(String.init)
    }
}

/// The value that a JSON text is.
func json(_ text: String) throws -> Value {
    try JSONDecoder().decode(Value.self, from: Data(text.utf8))
}

/// Expects an answer to be that JSON, member by member.
func expect(_ answer: Answer, is text: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
    #expect(try answer.json == json(text), sourceLocation: sourceLocation)
}
