import BusinessLogic
import MicroHTTP

extension UnderstudyService {
    /// `GET /PAGE`: what the screen shows, and the page's events. Starts no session.
    func show(_ page: Page, _ request: Request) async throws -> Response {
        let credential = SessionCredential(request, cookieName: configuration.cookieName)
        guard let session = try find(credential, at: configuration.clock.now) else {
            return .json(page.description(sequence: 0, shown: nil))
        }
        return try await perform(in: session, of: credential) {
            .json(
                page.description(sequence: session.history.sequence, shown: session.existingScreen(of: page)?.recorder)
            )
        }
    }
}

extension Page {
    /// The response to `GET /PAGE`.
    func description(sequence: Int, shown: ResponseRecorder?) -> Value {
        [
            "page": .string(name),
            "sequence": Value(sequence),
            "rendered": .object(shown?.rendered ?? [:]),
            "alert": shown?.alert.map(\.value) ?? .null,
            "goToPage": shown?.destination.map { destination in
                destination.values.isEmpty
                    ? ["name": .string(destination.name)]
                    : ["name": .string(destination.name), "values": .object(destination.values)]
            } ?? .null,
            "values": .object(shown?.values ?? [:]),
            "events": .array(events.map(\.value)),
        ]
    }
}

extension EventDeclaration {
    fileprivate var value: Value {
        [
            "event": .string(event.name),
            "default": .boolean(isDefault),
            "reads": .array(reads.map { .string($0.name) }),
            "secret": .array(reads.filter(\.isSecret).map { .string($0.name) }),
        ]
    }
}

extension Message {
    fileprivate var value: Value {
        var value: Value.Object = ["message": .string(text), "code": .string(code)]
        if !parameters.isEmpty { value["parameters"] = .object(parameters) }
        return .object(value)
    }
}
