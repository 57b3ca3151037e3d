package import BusinessLogic
internal import Synchronization

/// A request that waits until its session may have new commands.
///
/// Any number of tasks may use it at the same time, but only one may wait.
package final class SessionWaiter: Sendable {
    private struct State {
        var isWoken = false
        var isReplaced = false
        var continuation: CheckedContinuation<Void, Never>?
    }

    private let state = Mutex(State())
    private let onWake: (@Sendable () -> Void)?

    /// Creates a request.
    ///
    /// - Parameter onWake: called whenever the session may have new commands, instead of a ``wait()``. It must not block.
    package init(onWake: (@Sendable () -> Void)? = nil) {
        self.onWake = onWake
    }

    /// Ends the current wait, or the next one if the request does not wait at the moment.
    package func wake() {
        if let onWake { return onWake() }
        let continuation = state.withLock { state in
            state.isWoken = state.continuation == nil
            return state.continuation.take()
        }
        continuation?.resume()
    }

    /// Whether a later request waits in place of this one. Any thread may call this.
    package var isReplaced: Bool { state.withLock(\.isReplaced) }

    /// Ends the wait for good, because a later request waits in place of this one.
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
                    defer { state.isWoken = false }
                    return state.isWoken
                }
                if isWoken { continuation.resume() }
            }
        } onCancel: {
            wake()
        }
    }
}

/// The requests that wait for a session, and the topics that wake them.
///
/// It is part of the session, as its lock is: most sessions have no waiting requests, and then it takes few bytes.
package struct SessionWatch: ~Copyable, Sendable {
    // Not private: the compiler of Swift 6.3 fails in debug builds if another file stores a lock whose state is.
    final class Content: Sendable {
        struct State {
            fileprivate var waiters: [SessionWaiter] = []
            fileprivate var topics: Set<Topic> = []
        }

        fileprivate let state = Mutex(State())
        private let topics: Topics
        private let follower: Topics.Follower

        fileprivate init(_ topics: Topics) {
            self.topics = topics
            let relay = Relay()
            follower = topics.makeFollower { relay.wake() }
            relay.target.withLock { $0.content = self }
        }

        deinit {
            topics.remove(follower, following: state.withLock(\.topics))
        }

        fileprivate func wakeAll() {
            for waiter in state.withLock(\.waiters) { waiter.wake() }
        }

        fileprivate func follow(_ new: Set<Topic>) {
            let old = state.withLock { state in
                defer { state.topics = new }
                return state.topics
            }
            topics.change(follower, from: old, to: new)
        }
    }

    /// Breaks the cycle of a follower and its content.
    private final class Relay: Sendable {
        struct Target {
            weak var content: Content?
        }

        let target = Mutex(Target())

        func wake() { target.withLock(\.content)?.wakeAll() }
    }

    /// The maximum number of requests that can wait for a session. A further one replaces the one that has waited longest: its client may have left
    /// without the server noticing.
    package static let maximumWaiters = 4

    private let isActive = Atomic<Bool>(false)
    private let content = Mutex<Content?>(nil)

    package init() {}

    /// Adds a waiting request. Call it while holding the session's lock. Does nothing if it has been added.
    ///
    /// - Returns: `false` if a later request has replaced this one.
    package func add(_ waiter: SessionWaiter, _ topics: Topics) -> Bool {
        if waiter.isReplaced { return false }
        let replaced: SessionWaiter? = content.withLock { content in
            let known = content ?? Content(topics)
            content = known
            isActive.store(true, ordering: .sequentiallyConsistent)
            return known.state.withLock { state in
                if state.waiters.contains(where: { $0 === waiter }) { return nil }
                state.waiters.append(waiter)
                return state.waiters.count > Self.maximumWaiters ? state.waiters.removeFirst() : nil
            }
        }
        replaced?.replace()
        return true
    }

    /// Removes a request that does not wait any more.
    package func remove(_ waiter: SessionWaiter) {
        content.withLock { content in
            let isEmpty = content?.state.withLock { state in
                state.waiters.removeAll { $0 === waiter }
                return state.waiters.isEmpty
            }
            guard isEmpty ?? true else { return }
            content = nil
            isActive.store(false, ordering: .sequentiallyConsistent)
        }
    }

    /// Makes the publications of these topics wake the waiting requests. Call it while holding the session's lock.
    package func follow(_ topics: Set<Topic>) {
        content.withLock { $0 }?.follow(topics)
    }

    /// Whether requests wait. Any thread may call this.
    package var hasWaiters: Bool { isActive.load(ordering: .sequentiallyConsistent) }

    /// Wakes the waiting requests: the session has new commands, or has ended. Any thread may call this.
    package func wake() {
        if hasWaiters { content.withLock { $0 }?.wakeAll() }
    }
}
