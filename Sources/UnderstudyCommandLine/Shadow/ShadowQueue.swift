import Dispatch
import Synchronization
import Understudy

/// Events that wait for the shadow. Event loops add them, and never wait for it.
final class ShadowQueue: Sendable {
    private struct State {
        var events: [ObservedEvent] = []
        var isAccepting = false
        var isClosed = false
    }

    /// The maximum number of events.
    static let maximumCount = 256
    /// The size from which no further event is added, in bytes.
    static let maximumBytes = 16 << 20

    private let state = Mutex(State())
    // Besides the lock, for callers that must not wait for it.
    private let isAccepting = Atomic(false)
    /// The events that wait or run, and their bytes.
    private let count = Atomic(0)
    private let bytes = Atomic(0)
    /// Signalled once for each event, and once at the end.
    private let signals = DispatchSemaphore(value: 0)

    /// Whether another event can be added.
    var hasRoom: Bool {
        isAccepting.load(ordering: .relaxed) && count.load(ordering: .relaxed) < Self.maximumCount
            && bytes.load(ordering: .relaxed) < Self.maximumBytes
    }

    /// Adds an event.
    ///
    /// - Returns: `false` if the queue is full, or in use: its reader has such a low priority that it can keep the lock for long.
    func add(_ event: ObservedEvent) -> Bool {
        guard hasRoom else { return false }
        let isAdded = state.withLockIfAvailable { state in
            if state.isAccepting { state.events.append(event) }
            return state.isAccepting
        }
        guard isAdded == true else { return false }
        count.add(1, ordering: .relaxed)
        bytes.add(event.size, ordering: .relaxed)
        signals.signal()
        return true
    }

    /// Waits for events, and removes all that wait; `nil` after ``close()``. Call ``finish(_:)`` for each.
    func next() -> [ObservedEvent]? {
        while true {
            signals.wait()
            let (events, isClosed) = state.withLock { state in
                defer { state.events = [] }
                return (state.events, state.isClosed)
            }
            if isClosed { return nil }
            if !events.isEmpty { return events }
        }
    }

    /// Makes room, because an event has run or is dropped.
    func finish(_ event: ObservedEvent) {
        count.subtract(1, ordering: .relaxed)
        bytes.subtract(event.size, ordering: .relaxed)
    }

    /// Accepts no events until ``resume()``, and removes those that wait, because they contain secrets.
    ///
    /// - Returns: the number of events that were removed.
    func pause() -> Int {
        let removed = state.withLock { state in
            defer { state.events = [] }
            setAccepting(false, &state)
            return state.events
        }
        for event in removed { finish(event) }
        return removed.count
    }

    /// Accepts events again, or for the first time.
    func resume() {
        state.withLock { state in
            if !state.isClosed { setAccepting(true, &state) }
        }
    }

    /// Accepts no events any more, and removes those that wait.
    func close() {
        state.withLock { state in
            state.isClosed = true
            state.events = []
            setAccepting(false, &state)
        }
        signals.signal()
    }

    private func setAccepting(_ accepts: Bool, _ state: inout State) {
        state.isAccepting = accepts
        isAccepting.store(accepts, ordering: .relaxed)
    }
}
