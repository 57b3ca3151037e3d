import Synchronization

/// A request that waits for something, such as new commands of its session.
///
/// Any number of tasks may use it at the same time, but only one may wait.
package final class Waiter: Sendable {
    private struct State {
        var isWoken = false
        var isReplaced = false
        var continuation: CheckedContinuation<Void, Never>?
    }

    private let state = Mutex(State())

    package init() {}

    /// Ends the current wait, or the next one if the request does not wait at the moment.
    package func wake() {
        let continuation = state.withLock { state in
            state.isWoken = state.continuation == nil
            return state.continuation.take()
        }
        continuation?.resume()
    }

    /// Whether a later request waits in place of this one. Any thread may call this.
    package var isReplaced: Bool { state.withLock(\.isReplaced) }

    /// A later request waits in place of this one.
    fileprivate func replace() {
        state.withLock { $0.isReplaced = true }
        wake()
    }

    /// Waits until another task calls ``wake()``, or this task is cancelled.
    package func wait() async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isWoken = state.withLock { state in
                    if !state.isWoken { state.continuation = continuation }
                    return exchange(&state.isWoken, with: false)
                }
                if isWoken { continuation.resume() }
            }
        } onCancel: {
            wake()
        }
    }
}

/// The requests that wait for the same thing. Any thread may use it.
///
/// It is part of the session for which they wait, as its lock is: most sessions have no waiting requests, and then it takes few bytes.
package struct Waiters: ~Copyable, Sendable {
    // Each event reads it, without a lock.
    private let isActive = Atomic<Bool>(false)
    private let waiters = Mutex<[Waiter]>([])

    package init() {}

    /// Does nothing if the request has been added. Returns `false` if a later request has replaced it: beyond the maximum, a request replaces the one
    /// that has waited longest, whose client may have left without the server noticing.
    @discardableResult
    package func add(_ waiter: Waiter, maximum: Int = .max) -> Bool {
        if waiter.isReplaced { return false }
        let replaced: Waiter? = waiters.withLock { waiters in
            isActive.store(true, ordering: .sequentiallyConsistent)
            if waiters.contains(where: { $0 === waiter }) { return nil }
            waiters.append(waiter)
            return waiters.count > maximum ? waiters.removeFirst() : nil
        }
        replaced?.replace()
        return true
    }

    package func remove(_ waiter: Waiter) {
        waiters.withLock { waiters in
            waiters.removeAll { $0 === waiter }
            if waiters.isEmpty { isActive.store(false, ordering: .sequentiallyConsistent) }
        }
    }

    package var count: Int { waiters.withLock(\.count) }

    /// Makes the requests look again at what they wait for.
    package func wake() {
        guard isActive.load(ordering: .sequentiallyConsistent) else { return }
        for waiter in waiters.withLock({ $0 }) { waiter.wake() }
    }
}
