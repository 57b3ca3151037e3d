internal import BusinessLogic
internal import Foundation

/// Reads the response to an event, or a command that arrives before it.
///
/// - Throws: ``RemoteError/malformedResponse(_:)``.
func wellFormed<Content>(_ read: () throws -> Content) throws -> Content {
    do {
        return try read()
    } catch let error as MalformedCommand {
        throw RemoteError.malformedResponse(error.reason)
    }
}

/// The response to `GET /PAGE`: what the page shows, and the events that it accepts.
struct PageResponse {
    /// A field that events read.
    struct Field {
        let name: String
        /// The JSON type of the value; `nil` if the service does not state it, or if this client does not know it.
        let kind: FieldKind?
        /// The value if the screen contains none; `nil` if the screen must contain one.
        let whenAbsent: Value?
    }

    /// The rendered value of each key.
    let rendered: Value.Object
    /// The fields that each event reads.
    let events: [(event: Event, reads: [Field])]

    /// Reads the response.
    ///
    /// - Throws: ``RemoteError/malformedResponse(_:)``.
    init(_ value: Value) throws {
        guard let rendered = value.object?["rendered"]?.object, let events = value.object?["events"]?.array else {
            throw RemoteError.malformedResponse("It lacks 'rendered' or 'events'.")
        }
        self.rendered = rendered
        let fields = value.object?["fields"]?.array ?? []
        self.events = try events.map {
            guard let event = $0.object?["event"]?.string, let reads = $0.object?["reads"]?.array else {
                throw RemoteError.malformedResponse("An event lacks 'event' or 'reads'.")
            }
            return (Event(event), reads.compactMap(\.string).map { Field($0, in: fields) })
        }
    }
}

extension PageResponse.Field {
    /// The field with that name. Version 1.0 of the wire format does not declare fields.
    fileprivate init(_ name: String, in declarations: [Value]) {
        let declaration = declarations.lazy.compactMap(\.object).first { $0["name"]?.string == name }
        self.name = name
        kind = declaration?["kind"]?.string.flatMap(FieldKind.init(rawValue:))
        whenAbsent = declaration?["whenAbsent"]
    }

    /// The value that the screen's value means in JSON.
    func value(of value: Value) -> Value {
        guard case .number(.double(let number)) = value else { return value }
        if !number.isFinite { return .null }
        if kind == .integer, let integer = Int(exactly: number) { return .number(.integer(integer)) }
        return value
    }
}

extension RemoteResponse {
    /// The body as JSON.
    ///
    /// - Throws: ``RemoteError/malformedResponse(_:)``.
    var json: Value {
        get throws {
            do {
                return try JSONReader.read(body)
            } catch {
                throw RemoteError.malformedResponse("It has the status \(status), and its body is not JSON.")
            }
        }
    }

    /// The body as JSON, if the status is 200 to 299.
    ///
    /// - Throws: ``RemoteError``.
    var content: Value {
        get throws {
            guard (200...299).contains(status) else { throw remoteError }
            return try json
        }
    }

    /// The error of a response with any other status.
    var remoteError: RemoteError {
        RemoteProblem(self).map(RemoteError.problem)
            ?? .malformedResponse("It has the status \(status), and its body is not a problem.")
    }
}

extension String {
    /// The text as a percent-encoded segment of a path.
    var pathSegment: String {
        addingPercentEncoding(withAllowedCharacters: .alphanumerics.union(CharacterSet(charactersIn: "-_"))) ?? self
    }
}
