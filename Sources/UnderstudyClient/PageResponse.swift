import BusinessLogic
import Foundation

/// Turns ``MalformedCommand`` into ``RemoteError/malformedResponse(_:)``.
func wellFormed<Content>(_ read: () throws -> Content) throws -> Content {
    do {
        return try read()
    } catch let error as MalformedCommand {
        throw RemoteError.malformedResponse(error.reason)
    }
}

struct PageResponse {
    struct Field {
        let name: String
        /// The schema of the value in JSON Schema, as far as the service states it.
        let schema: Value
        /// `nil` if the screen must contain a value.
        let whenAbsent: Value?
    }

    let rendered: Value.Object
    /// The messages whose texts are rendered, by key: each with its code.
    let messages: Value.Object
    let events: [(event: Event, reads: [Field])]

    init(_ value: Value) throws {
        guard let rendered = value.object?["rendered"]?.object, let events = value.object?["events"]?.array else {
            throw RemoteError.malformedResponse("It lacks 'rendered' or 'events'.")
        }
        self.rendered = rendered
        messages = value.object?["messages"]?.object ?? [:]
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
    fileprivate init(_ name: String, in declarations: [Value]) {
        let declaration = declarations.lazy.compactMap(\.object).first { $0["name"]?.string == name }
        self.name = name
        schema = declaration?["schema"] ?? .null
        whenAbsent = declaration?["whenAbsent"]
    }
}

extension Value {
    /// The value with the numbers that its schema expects: a screen may contain 2.0 for 2.
    func sent(as schema: Value) -> Value {
        switch self {
        case .number(.double(let number)):
            if !number.isFinite { return .null }
            let isInteger = schema["type"] == "integer" || schema["type"] == ["integer", "null"]
            if isInteger, let integer = Int(exactly: number) { return .number(.integer(integer)) }
            return self
        case .array(let elements): return .array(elements.map { $0.sent(as: schema["items"] ?? .null) })
        case .object(let members):
            var sent: Value.Object = [:]
            for (name, value) in members { sent[name] = value.sent(as: schema["properties"]?[name] ?? .null) }
            return .object(sent)
        default: return self
        }
    }
}

extension RemoteResponse {
    var json: Value {
        get throws {
            do {
                return try JSONReader.read(body)
            } catch {
                throw RemoteError.malformedResponse("It has the status \(status), and its body is not JSON.")
            }
        }
    }

    /// Throws unless the status is 200 to 299.
    var content: Value {
        get throws {
            guard (200...299).contains(status) else { throw remoteError }
            return try json
        }
    }

    var remoteError: RemoteError {
        RemoteProblem(self).map(RemoteError.problem)
            ?? .malformedResponse("It has the status \(status), and its body is not a problem.")
    }
}

extension String {
    var pathSegment: String {
        addingPercentEncoding(withAllowedCharacters: .alphanumerics.union(CharacterSet(charactersIn: "-_"))) ?? self
    }
}
