package import BusinessLogic
internal import FoundationEssentials
internal import Synchronization

/// The results of a session's collaborators. While a session is recorded, it stores them. In a replay, it returns the
/// recorded results instead of calling the collaborators. While an event is observed, it stores the event's results once more.
///
/// Any number of tasks may use it at the same time.
package final class CollaboratorLog: Sendable {
    /// The result of one call of a collaborator.
    package struct Entry: Equatable, Sendable {
        /// The collaborator's name.
        package let name: String
        /// The returned value, or the failure.
        package let result: Result<Value, CollaboratorFailure>

        package init(_ name: String, _ result: Result<Value, CollaboratorFailure>) {
            self.name = name
            self.result = result
        }
    }

    /// The result of one call in an event that is observed. Storing it takes less time than encoding it, which any thread can do later.
    package struct ObservedResult: Sendable {
        /// The collaborator's name.
        package let name: String
        private let result: Result<any Encodable & Sendable, CollaboratorFailure>

        fileprivate init(_ name: String, _ result: Result<any Encodable & Sendable, CollaboratorFailure>) {
            self.name = name
            self.result = result
        }

        /// The result as a recording contains it.
        package var entry: Entry { Entry(name, result.map(\.recorded)) }
    }

    private struct State {
        var entries: [Entry] = []
        /// The results of the event that is observed; `nil` if no event is.
        var observed: [ObservedResult]?
        var calls: [String] = []
        var lastReading = Timestamp(milliseconds: 0)
        var missing: [MissingResult] = []
    }

    private let isReplaying: Bool
    /// Whether ``take()`` returns results: if not, only the results of observed events are stored.
    private let isRecording: Bool
    /// Whether an event is observed. An atomic besides the lock, because most events of a session that is not recorded are not observed.
    private let isObserving = Atomic(false)
    /// Whether events of the session can be observed.
    package let isInSample: Bool
    /// The faults of the collaborators; `nil` if tests do not control the service.
    private let faults: CollaboratorFaults?
    private let state = Mutex(State())

    /// Creates an empty log.
    ///
    /// - Parameters:
    ///   - isInSample: whether events can be observed.
    ///   - faults: the faults of the collaborators. A replay has none.
    package init(isReplaying: Bool, isInSample: Bool = false, faults: CollaboratorFaults? = nil) {
        self.isReplaying = isReplaying
        self.isInSample = isInSample
        self.faults = faults
        isRecording = !isReplaying
    }

    /// Creates a log that stores the results of observed events only.
    package init(isInSample: Bool, faults: CollaboratorFaults? = nil) {
        self.isInSample = isInSample
        self.faults = faults
        isReplaying = false
        isRecording = false
    }

    /// Stores the results from now on for ``endObservation()``. Forgets those of an observation that has not ended.
    package func beginObservation() {
        state.withLock { $0.observed = [] }
        isObserving.store(true, ordering: .relaxed)
    }

    /// Returns the results since ``beginObservation()``, in order.
    package func endObservation() -> [ObservedResult] {
        isObserving.store(false, ordering: .relaxed)
        return state.withLock { state in
            defer { state.observed = nil }
            return state.observed ?? []
        }
    }

    /// Whether a result must be stored.
    private var storesResults: Bool { isRecording || isObserving.load(ordering: .relaxed) }

    /// Removes and returns all results.
    package func take() -> [Entry] {
        state.withLock { state in
            defer { state.entries = [] }
            return state.entries
        }
    }

    /// Replaces the results to replay.
    package func put(_ entries: [Entry]) {
        state.withLock { state in
            state.entries = entries
            state.calls = []
            state.missing = []
        }
    }

    /// Sets the time that a replay returns if no recorded time is left.
    package func setTime(_ time: Timestamp) {
        state.withLock { $0.lastReading = time }
    }

    /// The names of the collaborators that a replay has called since ``put(_:)``, in order.
    package var calls: [String] { state.withLock(\.calls) }

    /// The calls since ``put(_:)`` for which a replay has no result, in order.
    package var missing: [MissingResult] { state.withLock(\.missing) }

    /// The result of an asynchronous collaborator that may throw.
    func result<Output: Codable & Sendable>(of name: String, _ call: () async throws -> Output) async throws -> Output {
        if isReplaying {
            guard let result = next(name) else { throw miss(name, isInvalid: false) }
            switch result {
            case .success(let value):
                guard let output = Output(recorded: value) else { throw miss(name, isInvalid: true) }
                return output
            case .failure(let failure): throw failure.error
            }
        }
        guard storesResults else { return try await output(of: name, call) }
        do {
            let output = try await output(of: name, call)
            record(name, .success(output))
            return output
        } catch {
            record(name, .failure(CollaboratorFailure(error)))
            throw error
        }
    }

    /// The result of a collaborator that is called, or its fault.
    private func output<Output>(of name: String, _ call: () async throws -> Output) async throws -> Output {
        if let faults { try await faults.apply(to: name) }
        return try await call()
    }

    /// The result of a synchronous collaborator. If a replay has no recorded result, returns `fallback`.
    func result<Output: Codable & Sendable>(of name: String, else fallback: Output, _ call: () -> Output) -> Output {
        guard isReplaying else {
            let output = call()
            if storesResults { record(name, .success(output)) }
            return output
        }
        let result = next(name)
        guard case .success(let value) = result, let output = Output(recorded: value) else {
            _ = miss(name, isInvalid: result != nil)
            return fallback
        }
        return output
    }

    /// The time. A replay without a recorded time repeats the previous one.
    func time(_ clock: any WallClock) -> Timestamp {
        guard isReplaying else {
            let time = clock.now
            if storesResults { record("clock", .success(time)) }
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
        let observed = ObservedResult(name, result)
        let entry = isRecording ? ObservedResult(name, result.map(Self.withoutSecrets)).entry : nil
        state.withLock { state in
            if let entry { state.entries.append(entry) }
            state.observed?.append(observed)
        }
    }

    private static func withoutSecrets(_ output: any Encodable & Sendable) -> any Encodable & Sendable {
        (output as? any SecretResult)?.withoutSecrets ?? output
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
    /// The value as it is recorded; null if it cannot be encoded.
    var recorded: Value {
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
        guard let decoded = try? JSONDecoder().decode([Self].self, from: Data(Value.array([value]).json)).first else {
            return nil
        }
        self = decoded
    }
}
