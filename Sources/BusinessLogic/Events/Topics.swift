/// The topics of a process: who publishes and who follows them.
///
/// All controllers of an app or a service use the same object. Any number of tasks may use it at the same time.
public final class Topics: TopicPublisher {
    fileprivate struct State: Sendable {
        /// The highest number so far, which a publication or a read of ``latest`` has taken.
        var latest: UInt64
        /// The number of the last publication of a topic, of which `latest` may be ahead.
        var published: UInt64
        /// The number of a topic's last publication. Topics without one have ``floor``.
        var versions: [Topic: UInt64] = [:]
        var floor: UInt64
        var followers: [Topic: Set<Follower>] = [:]
        var all: [Follower: Set<Topic>] = [:]
    }

    /// Called when a topic that it follows has been published.
    package final class Follower: Hashable, Sendable {
        private let wake: @Sendable () -> Void

        fileprivate init(wake: @escaping @Sendable () -> Void) {
            self.wake = wake
        }

        fileprivate func callAsFunction() { wake() }

        package static func == (left: Follower, right: Follower) -> Bool { left === right }

        package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
    }

    /// The maximum number of topics whose publications are remembered separately. Beyond it, all topics count as published.
    private static let limit = 100_000
    /// How many numbers there are in a millisecond.
    private static let perMillisecond: UInt64 = 1 << 20
    /// How far the clocks of two servers may differ.
    private static let tolerance: UInt64 = 1000 * perMillisecond

    /// Distinguishes the numbers of this object from those of others.
    package let origin = UInt64.random(in: 1...1 << 53)
    private let clock: (any WallClock)?

    private let state: LockedValue<State>

    /// Creates the topics of a process, none of which has been published.
    ///
    /// - Parameter clock: the clock that all servers with the same sessions share. With it, a session that another server has stored does not
    ///   run its updates again if no topic has been published since. Without it, it does.
    public init(clock: (any WallClock)? = nil) {
        self.clock = clock
        let first = Self.number(at: clock)
        state = LockedValue(State(latest: first, published: first, floor: first))
    }

    private static func number(at clock: (any WallClock)?) -> UInt64 {
        guard let clock else { return 1 }
        return UInt64(clamping: max(1, min(clock.now.milliseconds, 1 << 43))) * perMillisecond
    }

    // MARK: Publishing

    public func publish(_ topic: Topic) {
        publish { state in
            if state.versions.count >= Self.limit {
                state.versions = [:]
                state.floor = state.latest
            }
            state.versions[topic] = state.latest
            return Array(state.followers[topic] ?? [])
        }
    }

    /// Publishes all topics: for a process that may have missed publications.
    public func publishAll() {
        publish { state in
            state.versions = [:]
            state.floor = state.latest
            return Array(state.all.keys)
        }
    }

    /// `change` runs after ``State/latest`` has increased, and returns the followers to wake.
    private func publish(_ change: (inout State) -> [Follower]) {
        let lowest = Self.number(at: clock)
        let followers = state.change { state in
            state.latest = max(state.latest + 1, lowest)
            state.published = state.latest
            return change(&state)
        }
        for follower in followers { follower() }
    }

    // MARK: Following

    /// The highest number so far. A controller that reads data from now on has seen all publications up to it.
    package var latest: UInt64 {
        let lowest = Self.number(at: clock)
        return state.change { state in
            state.latest = max(state.latest, lowest)
            return state.latest
        }
    }

    func havePublished(after number: UInt64) -> Bool { state.change { $0.published > number } }

    package func havePublished(_ topics: ArraySlice<Topic>, after number: UInt64) -> Bool {
        if topics.isEmpty { return false }
        return state.change { state in
            topics.contains { (state.versions[$0] ?? state.floor) > number }
        }
    }

    /// The number of this object that certainly is not after the one that another object has returned as ``latest``.
    package func number(_ number: UInt64, of origin: UInt64) -> UInt64 {
        if origin == self.origin { return number }
        return clock == nil ? 0 : number - min(number, Self.tolerance)
    }

    /// `wake` is called after each publication of a topic that the follower follows, by the task that publishes it. It must not wait.
    package func makeFollower(wake: @escaping @Sendable () -> Void) -> Follower {
        let follower = Follower(wake: wake)
        state.change { $0.all[follower] = [] }
        return follower
    }

    package func follow(_ topics: Set<Topic>, with follower: Follower) {
        state.change { $0.follow(topics, with: follower) }
    }

    package func remove(_ follower: Follower) {
        state.change { state in
            state.follow([], with: follower)
            state.all[follower] = nil
        }
    }
}

extension Topics.State {
    fileprivate mutating func follow(_ new: Set<Topic>, with follower: Topics.Follower) {
        let old = all.updateValue(new, forKey: follower) ?? []
        for topic in old.subtracting(new) {
            followers[topic]?.remove(follower)
            if followers[topic]?.isEmpty == true { followers[topic] = nil }
        }
        for topic in new.subtracting(old) { followers[topic, default: []].insert(follower) }
    }
}
