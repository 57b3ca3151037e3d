import MicroHTTP
import HTTPMessages
import Synchronization

/// Which service has replaced another one, because other settings apply.
///
/// The first service, which the embedder has created, keeps the last one that has replaced it. The others find that by the first, so that a
/// request that is still in progress with old settings keeps no other service than its own.
final class ServiceReplacement: Sendable {
    /// A server that gives its requests to a service.
    struct Follower: Sendable {
        weak var server: Server?
        /// What the server calls for the requests to a service.
        let responder: @Sendable (UnderstudyService) -> any Responder
    }

    private struct State {
        var service: UnderstudyService?
        var followers: [Follower] = []
    }

    /// Of the first service; `nil` if this is that.
    private weak let first: ServiceReplacement?
    private let state = Mutex(State())
    private let flag = Atomic(false)
    /// Held during a reload, so that reloads happen one after the other.
    private let turn = Mutex(())

    init() {
        first = nil
    }

    init(of former: ServiceReplacement) {
        first = former.first ?? former
    }

    /// Whether the service has been replaced. A plain load, because each request asks.
    @inline(__always)
    var isReplaced: Bool { flag.load(ordering: .relaxed) }

    /// The service whose settings apply now; `nil` if that is the first.
    var current: UnderstudyService? {
        if let first { return first.current }
        return state.withLock { $0.service }
    }

    /// Replaces the current service, in the servers as well.
    ///
    /// - Parameters:
    ///   - service: the service that the embedder has created, whose replacement this is.
    ///   - make: creates the service that replaces the current one.
    func replace(_ service: UnderstudyService, _ make: (UnderstudyService) -> UnderstudyService) {
        turn.withLock { _ in
            let former = current ?? service
            let next = make(former)
            let followers = state.withLock { state in
                state.service = next
                state.followers.removeAll { $0.server == nil }
                return state.followers
            }
            for replaced in [self, former.replacement] { replaced.flag.store(true, ordering: .relaxed) }
            for follower in followers { follower.server?.replaceResponder(follower.responder(next)) }
        }
    }

    /// Adds a server, which gets each service that replaces the current one.
    func add(_ follower: Follower) {
        let current = state.withLock { state in
            state.followers.append(follower)
            return state.service
        }
        if let current { follower.server?.replaceResponder(follower.responder(current)) }
    }
}
