package import BusinessLogic
internal import FoundationEssentials
internal import Synchronization

/// The results of a session's collaborators. While a session is recorded, it stores them. In a replay, it returns the
/// recorded results instead of calling the collaborators.
///
/// Any number of tasks may use it at the same time.
package final class CollaboratorLog: Sendable {
    /// A collaborator's result.
    package struct Answer: Equatable, Sendable {
        /// The collaborator's name.
        package let name: String
        /// The returned value, or the failure.
        package let result: Result<Value, CollaboratorFailure>

        package init(_ name: String, _ result: Result<Value, CollaboratorFailure>) {
            self.name = name
            self.result = result
        }
    }

    private struct State {
        var answers: [Answer] = []
        var lastReading = Timestamp(milliseconds: 0)
        var missing: String?
    }

    private let isReplaying: Bool
    private let state = Mutex(State())

    /// Creates an empty log.
    package init(isReplaying: Bool) {
        self.isReplaying = isReplaying
    }

    /// Removes and returns all results.
    func take() -> [Answer] {
        state.withLock { state in
            defer { state.answers = [] }
            return state.answers
        }
    }

    /// Replaces the results to replay.
    package func put(_ answers: [Answer]) {
        state.withLock { state in
            state.answers = answers
            state.missing = nil
        }
    }

    /// The first collaborator since ``put(_:)`` that was called without a recorded result, if any.
    package var missing: MissingAnswer? {
        state.withLock { $0.missing.map(MissingAnswer.init(collaborator:)) }
    }

    /// The result of an asynchronous collaborator that may throw.
    func answer<Answer: Codable>(_ name: String, _ ask: () async throws -> Answer) async throws -> Answer {
        if isReplaying {
            guard let result = next(name) else { throw miss(name) }
            switch result {
            case .success(let value):
                guard let answer = Answer(recorded: value) else { throw miss(name) }
                return answer
            case .failure(let failure): throw failure.error
            }
        }
        do {
            let answer = try await ask()
            note(name, .success(answer.recorded))
            return answer
        } catch {
            note(name, .failure(CollaboratorFailure(error)))
            throw error
        }
    }

    /// The result of a synchronous collaborator. If a replay has no recorded result, returns `fallback`.
    func answer<Answer: Codable>(_ name: String, else fallback: Answer, _ ask: () -> Answer) -> Answer {
        guard isReplaying else {
            let answer = ask()
            note(name, .success(answer.recorded))
            return answer
        }
        guard let value = try? next(name)?.get(), let answer = Answer(recorded: value) else {
            _ = miss(name)
            return fallback
        }
        return answer
    }

    /// The time. A replay without a recorded time repeats the previous one.
    func time(_ clock: any WallClock) -> Timestamp {
        guard isReplaying else {
            let time = clock.now
            note("clock", .success(time.recorded))
            return time
        }
        let value = try? next("clock")?.get()
        return state.withLock { state in
            // Larger numbers cannot be valid times, and could overflow when durations are added to them.
            if let time = value?.integer, time.magnitude < 1 << 53 {
                state.lastReading = Timestamp(milliseconds: Int64(time))
            }
            return state.lastReading
        }
    }

    private func note(_ name: String, _ result: Result<Value, CollaboratorFailure>) {
        state.withLock { $0.answers.append(Answer(name, result)) }
    }

    private func next(_ name: String) -> Result<Value, CollaboratorFailure>? {
        state.withLock { state in
            state.answers.firstIndex { $0.name == name }.map { state.answers.remove(at: $0).result }
        }
    }

    private func miss(_ name: String) -> MissingAnswer {
        state.withLock { state in
            if state.missing == nil { state.missing = name }
        }
        return MissingAnswer(collaborator: name)
    }
}

/// A controller called a collaborator in a replay, and no recorded result is left.
package struct MissingAnswer: Error, CustomStringConvertible {
    let collaborator: String

    package var description: String {
        "the collaborator '\(collaborator)' is called, but the recording contains no further result of it"
    }
}

extension Encodable {
    /// The value as it is recorded; null if it cannot be encoded.
    fileprivate var recorded: Value {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        // In an array, because earlier versions of JSON allowed only arrays and objects at the top level.
        guard let data = try? encoder.encode([self]) else { return .null }
        return (try? JSONReader.read(Array(data)))?.array?.first ?? .null
    }
}

extension Decodable {
    /// Decodes a recorded value; `nil` if it has another type.
    fileprivate init?(recorded value: Value) {
        guard let answer = try? JSONDecoder().decode([Self].self, from: Data(Value.array([value]).json)).first else {
            return nil
        }
        self = answer
    }
}
