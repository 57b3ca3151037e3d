import Dispatch
import Synchronization
import Understudy

/// Events that wait for the shadow. Event loops add them, and never wait for it.
final class ShadowQueue: Sendable {
    private struct State {
        var events: [ObservedEvent] = []
        var bytes = 0
        var isPaused = true
        var isClosed = false

        var hasRoom: Bool { !isPaused && !isClosed && events.count < maximumCount && bytes < maximumBytes }
    }

    /// The maximum number of events.
    static let maximumCount = 256
    /// The size from which no further event is added, in bytes.
    static let maximumBytes = 16 << 20

    private let state = Mutex(State())
    /// Whether the queue has room, for callers that must not wait for the lock.
    private let room = Atomic(false)
    /// Signalled once for each event, and once at the end.
    private let signals = DispatchSemaphore(value: 0)

    /// Whether another event can be added.
    var hasRoom: Bool { room.load(ordering: .relaxed) }

    /// Adds an event.
    ///
    /// - Returns: `false` if the queue is full, or in use: its reader has such a low priority that it can keep the lock for long.
    func add(_ event: ObservedEvent) -> Bool {
        let isAdded = state.withLockIfAvailable { state in
            guard state.hasRoom else { return false }
            state.events.append(event)
            state.bytes += event.size
            room.store(state.hasRoom, ordering: .relaxed)
            return true
        }
        guard isAdded == true else { return false }
        signals.signal()
        return true
    }

    /// Waits for the next event; `nil` after ``close()``.
    func next() -> ObservedEvent? {
        while true {
            signals.wait()
            let (event, isClosed) = state.withLock { state in
                guard !state.isClosed, !state.events.isEmpty else { return (nil as ObservedEvent?, state.isClosed) }
                let event = state.events.removeFirst()
                state.bytes -= event.size
                room.store(state.hasRoom, ordering: .relaxed)
                return (event, false)
            }
            if let event { return event }
            if isClosed { return nil }
        }
    }

    /// Accepts no events until ``resume()``, and removes those that wait, because they contain secrets.
    ///
    /// - Returns: the number of events that were removed.
    func pause() -> Int {
        state.withLock { state in
            state.isPaused = true
            return empty(&state)
        }
    }

    /// Accepts events again, or for the first time.
    func resume() {
        state.withLock { state in
            state.isPaused = false
            room.store(state.hasRoom, ordering: .relaxed)
        }
    }

    /// Accepts no events any more, and removes those that wait.
    func close() {
        state.withLock { state in
            state.isClosed = true
            _ = empty(&state)
        }
        signals.signal()
    }

    private func empty(_ state: inout State) -> Int {
        defer {
            state.events = []
            state.bytes = 0
            room.store(state.hasRoom, ordering: .relaxed)
        }
        return state.events.count
    }
}
