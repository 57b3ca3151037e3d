/// A controller in an app, whose updates run while its screen is visible.
///
/// A view controller has it in place of the controller. Only the line that creates it changes:
///
/// ```swift
/// eventable = UpdatingEventable(SlotsController(store, clock: clock), topics: store.topics, clock: clock)
/// ```
///
/// Use it on one actor, such as the main actor. Its events and updates run one at a time, in the order in which they arrive.
public final class UpdatingEventable<Controller: BusinessLogicController>: Eventable {
    /// The controller.
    public let controller: Controller

    private let topics: Topics
    private let clock: any WallClock
    private var progress = UpdateProgress()
    /// An event or an update acquires it while it runs.
    private let lock = AsyncLock()
    private let signals: AsyncStream<Void>
    private let signal: AsyncStream<Void>.Continuation

    /// Creates it.
    ///
    /// - Parameters:
    ///   - controller: the controller.
    ///   - topics: the topics of the app, in which its collaborators publish.
    ///   - clock: the clock of the controller, which its timers follow.
    public init(_ controller: Controller, topics: Topics, clock: any WallClock) {
        self.controller = controller
        self.topics = topics
        self.clock = clock
        (signals, signal) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    public var controllable: (any Controllable)? {
        get { controller.controllable }
        set { controller.controllable = newValue }
    }

    /// Runs the updates that are due, and then the event.
    ///
    /// - Throws: as the controller; `CancellationError` if the task is cancelled before the event runs.
    public func dispatchEvent(_ event: Event) async throws {
        try await lock.acquire()
        defer { lock.release() }
        await runUpdates()
        progress.start(topics)
        try await controller.dispatchEvent(event)
        // The controller may follow other topics now, or wait for another time.
        signal.yield()
    }

    /// Runs updates when they are due. Returns when the task is cancelled.
    ///
    /// Call it while the screen is visible: in SwiftUI `.task { await eventable.follow() }`. Updates that became due while nothing called it run
    /// at once.
    public func follow() async {
        let signal = signal
        let follower = topics.makeFollower { signal.yield() }
        var alarm: Task<Void, Never>?
        defer {
            alarm?.cancel()
            topics.remove(follower)
        }
        signal.yield()
        for await _ in signals {
            guard (try? await lock.acquire()) != nil else { break }
            followTopics(with: follower)
            await runUpdates()
            followTopics(with: follower)
            let timer = progress.nextTimer(of: controller)
            lock.release()
            let wait = timer.map { max(1, min($0.milliseconds(since: clock.now), 60_000)) } ?? 60_000
            let newAlarm = Task {
                try? await Task.sleep(nanoseconds: UInt64(wait) * 1_000_000)
                if !Task.isCancelled { signal.yield() }
            }
            alarm?.cancel()
            alarm = newAlarm
            if Task.isCancelled { break }
        }
    }

    private func followTopics(with follower: Topics.Follower) {
        topics.follow(Set(controller.followedTopics.prefix(UpdateProgress.maximumTopics)), with: follower)
    }

    /// Runs the updates that are due. If one fails, they stay due, and run again with the next event or publication, or within a minute.
    private func runUpdates() async {
        let due = progress.due(of: controller, topics, at: clock.now)
        for index in due.indices {
            guard (try? await controller.runEvent(at: index)) != nil else { return }
        }
        progress.finish(due)
    }
}
