package import BusinessLogic
import FoundationEssentials
import Synchronization

/// The results of a session's collaborators. While a session is recorded, it stores them. In a replay, it returns the
/// recorded results instead of calling the collaborators. While tests control the service, it lets collaborators fail.
///
/// Any number of tasks may use it at the same time.
package final class CollaboratorLog: Sendable {
    package struct Entry: Equatable, Sendable {
        package let name: String
        package let result: Result<Value, CollaboratorFailure>

        package init(_ name: String, _ result: Result<Value, CollaboratorFailure>) {
            self.name = name
            self.result = result
        }
    }

    private struct State {
        var entries: [Entry] = []
        var calls: [String] = []
        var lastReading = Timestamp(milliseconds: 0)
        var missing: [MissingResult] = []
    }

    package enum Mode {
        /// ``take()`` returns them.
        case recording
        /// Collaborators return those that ``put(_:)`` has set.
        case replaying
        /// Nothing, in a session that is not recorded. Only faults apply.
        case ignoring
    }

    private let mode: Mode
    /// `nil` if tests do not control the service.
    private let faults: CollaboratorFaults?
    private let state = Mutex(State())

    /// A replay has no faults.
    package init(_ mode: Mode, faults: CollaboratorFaults? = nil) {
        self.mode = mode
        self.faults = faults
    }

    package func take() -> [Entry] { state.withLock { exchange(&$0.entries, with: []) } }

    package func put(_ entries: [Entry]) {
        state.withLock { state in
            state.entries = entries
            state.calls = []
            state.missing = []
        }
    }

    /// A replay returns it if no recorded time is left.
    package func setTime(_ time: Timestamp) { state.withLock { $0.lastReading = time } }

    /// The names of the collaborators that a replay has called since ``put(_:)``, in order.
    package var calls: [String] { state.withLock(\.calls) }

    /// The calls since ``put(_:)`` for which a replay has no result, in order.
    package var missing: [MissingResult] { state.withLock(\.missing) }

    func result<Output: Codable & Sendable>(of name: String, _ call: () async throws -> Output) async throws -> Output {
        if mode == .replaying {
            guard let result = next(name) else { throw miss(name, isInvalid: false) }
            switch result {
            case .success(let value):
                guard let output = Output(recorded: value) else { throw miss(name, isInvalid: true) }
                return output
            case .failure(let failure): throw failure.error
            }
        }
        do {
            if let faults { try await faults.apply(to: name) }
            let output = try await call()
            record(name, .success(output))
            return output
        } catch {
            record(name, .failure(CollaboratorFailure(error)))
            throw error
        }
    }

    /// If a replay has no recorded result, returns `fallback`.
    func result<Output: Codable & Sendable>(of name: String, else fallback: Output, _ call: () -> Output) -> Output {
        guard mode == .replaying else {
            let output = call()
            record(name, .success(output))
            return output
        }
        let result = next(name)
        guard case .success(let value) = result, let output = Output(recorded: value) else {
            _ = miss(name, isInvalid: result != nil)
            return fallback
        }
        return output
    }

    /// A replay without a recorded time repeats the previous one.
    func time(_ clock: any WallClock) -> Timestamp {
        guard mode == .replaying else {
            let time = clock.now
            record("clock", .success(time))
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

    private func record(_ name: String, _ result: Result<any Encodable & Sendable, CollaboratorFailure>) {
        guard mode == .recording else { return }
        let entry = Entry(name, result.map { (($0 as? any SecretResult)?.withoutSecrets ?? $0).recorded })
        state.withLock { $0.entries.append(entry) }
    }

    private func next(_ name: String) -> Result<Value, CollaboratorFailure>? {
        state.withLock { state in
            state.calls.append(name)
            return state.entries.firstIndex { $0.name == name }.map { state.entries.remove(at: $0).result }
        }
    }

    private func miss(_ name: String, isInvalid: Bool) -> MissingResult {
        let missing = MissingResult(collaborator: name, isInvalid: isInvalid)
        state.withLock { $0.missing.append(missing) }
        return missing
    }
}

/// In a replay, a controller has called a collaborator for which no recorded result is left.
package struct MissingResult: Error, CustomStringConvertible {
    package let collaborator: String
    /// Whether there is a result, which is of another type or a failure that the collaborator cannot have.
    package let isInvalid: Bool

    package var description: String {
        "the collaborator '\(collaborator)' is called, but the recording contains no further result of it"
    }
}

extension Encodable {
    /// Null if the value cannot be encoded.
    var recorded: Value { Value(encoding: self) ?? .null }
}

extension Decodable {
    /// `nil` if the recorded value has another type.
    fileprivate init?(recorded value: Value) {
        guard let decoded = try? JSONDecoder().decode([Self].self, from: Data(Value.array([value]).json)).first else {
            return nil
        }
        self = decoded
    }
}

extension CollaboratorLog.Entry {
    package init?(_ value: Value) {
        guard let name = value["from"]?.string else { return nil }
        if let answer = value["answer"] {
            self.init(name, .success(answer))
        } else if let failure = value["failure"].flatMap(CollaboratorFailure.init(recorded:)) {
            self.init(name, .failure(failure))
        } else {
            return nil
        }
    }

    package var value: Value {
        switch result {
        case .success(let value): ["from": .string(name), "answer": value]
        case .failure(let failure): ["from": .string(name), "failure": failure.value]
        }
    }
}
