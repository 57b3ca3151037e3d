import Addresses
import BusinessLogic
import HTTPMessages
import UnderstudyPages
import UnderstudySessions

/// A request that waits for new commands of its session. It is no use of the session, which may expire meanwhile.
///
/// Sendable because one task at a time uses it: the request's, and then that of its stream.
final class WaitingRequest: @unchecked Sendable {
    let waiter = Waiter()
    let request: Request
    private let service: UnderstudyService
    private let credential: @Sendable () async throws -> SessionCredential
    private let address: IPAddress?
    /// Another object if the session was read from the database again.
    private var session: Session?
    /// `nil` until the session has updates.
    private var follower: Topics.Follower?

    private static let maximumPerSession = 4

    /// The credential names the session each time; `nil` for that of the request.
    init(
        _ request: Request,
        as credential: (@Sendable () async throws -> SessionCredential)? = nil,
        _ service: UnderstudyService
    ) throws(Problem) {
        self.request = request
        self.service = service
        self.credential = credential ?? { service.credential(of: request) }
        address = service.limitedAddress(of: request)
        try service.waitingRequests.add(waiter, from: address)
        request.letHandlerWait()
    }

    /// Call it when the request has its response.
    func end() {
        session?.waiters.remove(waiter)
        follower.map(service.configuration.topics.remove)
        service.waitingRequests.remove(waiter, from: address)
    }

    /// Runs the session's updates that are due, and then `body`, while holding the session's lock. From then on, all that can change the
    /// result ends the next ``wait(atMost:)``.
    ///
    /// - Throws: ``Problem`` `notAuthenticated` if there is no such session, `tooManyRequests` if a later request waits in place of this one.
    func look<Result>(_ body: (Session) throws -> Result) async throws -> Result {
        try await service.withRequiredSession(of: credential(), isUse: false) { session in
            try self.watch(session)
            if try await !self.runUpdates(in: session) { return nil }
            if let version = session.sharedVersion?.number {
                let watched = WatchedSession(session: session, id: session.id.bytes, version: version)
                self.service.waitingRequests.watch(watched, self.waiter)
            }
            return try body(session)
        }
    }

    private func watch(_ session: Session) throws(Problem) {
        if self.session !== session { self.session.take()?.waiters.remove(waiter) }
        guard session.waiters.add(waiter, maximum: Self.maximumPerSession) else {
            throw Problem(
                .tooManyRequests,
                "At most \(Self.maximumPerSession) requests wait for a session, and a later one has replaced this one.",
                retryAfter: .seconds(1)
            )
        }
        self.session = session
        // It may have ended before it was watched.
        if session.hasEnded { waiter.wake() }
    }

    /// Returns `false` if the session has changed on another server.
    private func runUpdates(in session: Session) async throws -> Bool {
        guard session.hasUpdates else { return true }
        followTopics(of: session)
        if service.hasDueUpdates(of: nil, in: session) {
            let wait = session.lastUpdates?.start.map { $0 + pause(in: session) - ContinuousClock.now } ?? .zero
            if wait > .zero {
                service.wakeTimers.wake(waiter, after: wait)
                return true
            }
            session.lastUpdates?.start = .now
            guard try await service.runUpdates(of: nil, in: session) else { return false }
            // The topics may be others now, and may have been published before they were followed.
            followTopics(of: session)
            if service.hasDueUpdates(of: nil, in: session) {
                service.wakeTimers.wake(waiter, after: pause(in: session))
            }
        }
        if let wait = session.durationUntilTimer(service.configuration.clock) {
            service.wakeTimers.wake(waiter, after: wait)
        }
        return true
    }

    /// The time from the session's last update until the next.
    private func pause(in session: Session) -> Duration {
        let configuration = service.configuration
        return session.lastUpdates?.hasFailed == true ? configuration.updateDelayAfterFailure : configuration.updatePace
    }

    private func followTopics(of session: Session) {
        let topics = session.followedTopics
        let follower = follower ?? service.configuration.topics.makeFollower { [waiter] in waiter.wake() }
        self.follower = follower
        service.configuration.topics.follow(Set(topics.prefix(UpdateProgress.maximumTopics)), with: follower)
        guard topics.count > UpdateProgress.maximumTopics else { return }
        service.controllerWarnings.reportTopics(
            count: topics.count,
            of: session.screensWithUpdates.map(\.page),
            service.logger
        )
    }

    /// Waits until the session may have new commands.
    func wait(atMost duration: Duration) async {
        service.wakeTimers.wake(waiter, after: duration)
        guard let gate = service.resetGate else { return await waiter.wait() }
        await gate.leaveDuring { await waiter.wait() }
    }
}
