internal import BusinessLogic
internal import Foundation

extension CommandResponse {
    /// Reads the response to an event.
    ///
    /// - Throws: ``RemoteError/malformedResponse(_:)``.
    static func read(_ json: Value) throws -> CommandResponse {
        do throws(MalformedCommand) {
            return try CommandResponse(json)
        } catch {
            throw RemoteError.malformedResponse(error.reason)
        }
    }
}

/// What a page shows, and what it accepts.
struct PageAnswer {
    /// What is painted at each place.
    let rendered: Value.Object
    /// The fields that each event reads.
    let events: [(event: Event, reads: [String])]

    init(_ value: Value) throws {
        guard let rendered = value.object?["rendered"]?.object, let events = value.object?["events"]?.array else {
            throw RemoteError.malformedResponse("It lacks 'rendered' or 'events'.")
        }
        self.rendered = rendered
        self.events = try events.map {
            guard let event = $0.object?["event"]?.string, let reads = $0.object?["reads"]?.array else {
                throw RemoteError.malformedResponse("An event lacks 'event' or 'reads'.")
            }
            return (Event(event), reads.compactMap(\.string))
        }
    }
}

extension RemoteResponse {
    /// The body as JSON.
    var json: Value {
        get throws {
            do {
                return try JSONReader.read(body)
            } catch {
                throw RemoteError.malformedResponse("It has the status \(status), and is no JSON.")
            }
        }
    }

    /// The body of an answer that is no error.
    ///
    /// - Throws: ``RemoteError``.
    var content: Value {
        get throws {
            guard (200...299).contains(status) else { throw refusal }
            return try json
        }
    }

    /// What an answer that is an error says.
    var refusal: RemoteError {
        RemoteProblem(self).map(RemoteError.problem)
            ?? .malformedResponse("It has the status \(status), and says no more.")
    }
}

extension String {
    /// The text as a segment of a path.
    var pathSegment: String {
        addingPercentEncoding(withAllowedCharacters: .alphanumerics.union(CharacterSet(charactersIn: "-_"))) ?? self
    }
}
