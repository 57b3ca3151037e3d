package import BusinessLogic
internal import FoundationEssentials
internal import Synchronization

/// What the collaborators of a session's controllers answer: while a session is recorded their answers are noted, while a
/// recording is replayed the recorded ones are given instead.
///
/// May be asked by any number of tasks at once.
package final class CollaboratorLog: Sendable {
    /// What a collaborator said.
    package struct Answer: Equatable, Sendable {
        /// Which collaborator was asked.
        package let name: String
        /// Its answer, or how it failed.
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

    /// An empty log.
    package init(isReplaying: Bool) {
        self.isReplaying = isReplaying
    }

    /// Takes the answers that were noted since the last time.
    func take() -> [Answer] {
        state.withLock { state in
            defer { state.answers = [] }
            return state.answers
        }
    }

    /// Has these answers given from now on, and no others.
    package func put(_ answers: [Answer]) {
        state.withLock { state in
            state.answers = answers
            state.missing = nil
        }
    }

    /// The collaborator that was asked although no answer of it was left, if there was one since ``put(_:)``.
    package var missing: MissingAnswer? {
        state.withLock { $0.missing.map(MissingAnswer.init(collaborator:)) }
    }

    /// The answer of a collaborator that may wait and fail.
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

    /// The answer of a collaborator that answers at once; `fallback` where none is left.
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

    /// The time. A clock that is read more often than it was stands still.
    func time(_ clock: any WallClock) -> Timestamp {
        guard isReplaying else {
            let time = clock.now
            note("clock", .success(time.recorded))
            return time
        }
        let value = try? next("clock")?.get()
        return state.withLock { state in
            // No clock says anything else, and somebody will reckon with it.
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

/// A collaborator was asked in a replay, and no answer of it is left.
package struct MissingAnswer: Error, CustomStringConvertible {
    let collaborator: String

    package var description: String { "'\(collaborator)' is asked, of which no answer is recorded" }
}

extension Encodable {
    /// The answer as it is recorded; null where it cannot be encoded.
    fileprivate var recorded: Value {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        // In an array, since JSON was once objects and arrays alone.
        guard let data = try? encoder.encode([self]) else { return .null }
        return (try? JSONReader.read(Array(data)))?.array?.first ?? .null
    }
}

extension Decodable {
    /// The answer that was recorded so; `nil` where it is of another type.
    fileprivate init?(recorded value: Value) {
        guard let answer = try? JSONDecoder().decode([Self].self, from: Data(Value.array([value]).json)).first else {
            return nil
        }
        self = answer
    }
}
