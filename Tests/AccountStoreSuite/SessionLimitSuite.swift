/// Sessions with limits, in memory or in a database. Numbers identify sessions, and the times are in seconds.
public protocol LimitedSessions: Sendable {
    /// Starts a session with one request.
    func start(_ number: Int, from address: UInt8?, size: Int, at time: Int) async throws
    /// Runs another event in a session, after which the session has that size.
    func use(_ number: Int, size: Int, at time: Int) async throws
    /// Logs a user in, or out with `nil`.
    func setUser(_ user: String?, of number: Int, at time: Int) async throws
    /// Applies the limits.
    ///
    /// - Returns: the numbers of the sessions that stay, in order.
    func clean(at time: Int) async throws -> [Int]
}

extension LimitedSessions {
    fileprivate func start(_ number: Int, from address: UInt8? = nil, at time: Int) async throws {
        try await start(number, from: address, size: 1_000, at: time)
    }

    fileprivate func use(_ number: Int, at time: Int) async throws { try await use(number, size: 1_000, at: time) }
}

/// The limits of sessions that the documentation promises, wherever the sessions are.
public enum SessionLimitSuite {
    /// The limits of a test. Sessions expire after 1,800 seconds without use, and 43,200 seconds after their start.
    public struct Limits: Sendable {
        public var maximum = 100
        public var memory = 1_000_000
        public var perAddress: Int?
    }

    /// Sessions whose limits a behaviour chooses.
    public struct Subject: Sendable {
        fileprivate let make: @Sendable (Limits) -> any LimitedSessions

        /// Creates a subject.
        ///
        /// - Parameter make: returns new sessions with limits.
        public init(_ make: @escaping @Sendable (Limits) -> any LimitedSessions) { self.make = make }

        /// Sessions in an empty store.
        public init(_ store: any SessionStore) { self.init { StoredLimitedSessions(store, limits: $0) } }

        fileprivate func sessions(_ change: (inout Limits) -> Void) -> any LimitedSessions {
            var limits = Limits()
            change(&limits)
            return make(limits)
        }
    }

    /// Limits with what they must remove after 10 seconds from 5,000 used sessions of 1,000 bytes, all of one address, that were started and
    /// last used at 1, 2, 3, … milliseconds.
    public static var cleanings: [(SessionLimits, RemovedSessions)] {
        var none = SessionLimits()
        none.maximumPerAddress = nil
        var (expired, excess, large, address) = (none, none, none, none)
        expired.idle = .milliseconds(10_000 - 4_321)
        excess.maximum = 1_000
        large.maximumMemory = 999_999
        address.maximumPerAddress = 20
        return [
            (none, RemovedSessions()), (expired, RemovedSessions(expired: 4_321)),
            (excess, RemovedSessions(evicted: 4_000)), (large, RemovedSessions(evicted: 4_001)),
            (address, RemovedSessions(evicted: 4_980)),
        ]
    }

    /// All behaviours. Check each with an empty store.
    public static let behaviours: [Behaviour<Subject>] = [
        Behaviour("within the limits, every session stays") { subject in
            let sessions = subject.sessions { ($0.maximum, $0.memory, $0.perAddress) = (4, 4_000, 2) }
            for number in 1...4 { try await sessions.start(number, from: UInt8(number / 3), at: number) }
            #expect(try await sessions.clean(at: 5) == [1, 2, 3, 4])
        },
        Behaviour("above the maximum, sessions of one request end before used ones, and a user's last") { subject in
            let sessions = subject.sessions { $0.maximum = 3 }
            try await sessions.start(1, at: 1)
            try await sessions.setUser("ada", of: 1, at: 1)
            try await sessions.start(2, at: 2)
            try await sessions.use(2, at: 3)
            try await sessions.start(3, at: 4)
            try await sessions.start(4, at: 5)
            #expect(try await sessions.clean(at: 5) == [1, 2, 4])
            try await sessions.use(4, at: 6)
            try await sessions.start(5, at: 7)
            try await sessions.use(5, at: 7)
            #expect(try await sessions.clean(at: 7) == [1, 4, 5])
            try await sessions.setUser("bob", of: 4, at: 8)
            try await sessions.setUser("cyd", of: 5, at: 9)
            try await sessions.start(6, at: 10)
            try await sessions.setUser("dan", of: 6, at: 10)
            #expect(try await sessions.clean(at: 10) == [4, 5, 6])
        },
        Behaviour("the session that has been unused longest ends first, whatever the order of the starts") { subject in
            let sessions = subject.sessions { $0.maximum = 3 }
            for number in 1...3 { try await sessions.start(number, at: number) }
            for number in [3, 2, 1] { try await sessions.use(number, at: 10 - number) }
            try await sessions.start(4, at: 20)
            try await sessions.use(4, at: 20)
            #expect(try await sessions.clean(at: 20) == [1, 2, 4])
        },
        Behaviour("above the maximum of the memory, sessions end in the same order, until the others fit") { subject in
            let sessions = subject.sessions { $0.memory = 10_000 }
            try await sessions.start(1, from: nil, size: 4_000, at: 1)
            try await sessions.setUser("ada", of: 1, at: 1)
            try await sessions.start(2, from: nil, size: 2_000, at: 2)
            try await sessions.use(2, size: 2_000, at: 3)
            try await sessions.start(3, from: nil, size: 4_000, at: 4)
            #expect(try await sessions.clean(at: 5) == [1, 2, 3])
            try await sessions.use(2, size: 2_001, at: 6)
            #expect(try await sessions.clean(at: 7) == [1, 2])
            try await sessions.use(2, size: 6_000, at: 8)
            #expect(try await sessions.clean(at: 8) == [1, 2])
            try await sessions.start(4, from: nil, size: 1_000, at: 9)
            try await sessions.use(4, size: 1_000, at: 9)
            #expect(try await sessions.clean(at: 10) == [1, 4])
        },
        Behaviour("above the maximum of an address, its oldest session ends, and no other address's") { subject in
            let sessions = subject.sessions { ($0.maximum, $0.perAddress) = (5, 2) }
            try await sessions.start(1, from: 1, at: 1)
            try await sessions.start(2, from: 1, at: 2)
            try await sessions.start(3, at: 3)
            for number in 4...20 {
                try await sessions.start(number, from: 2, at: number)
                try await sessions.use(number, at: number)
                try await sessions.use(4, at: number)
            }
            #expect(try await sessions.clean(at: 20) == [1, 2, 3, 19, 20])
        },
        Behaviour("above the maximum, an account with more than ten sessions loses the oldest before others lose any") {
            subject in
            let sessions = subject.sessions { $0.maximum = 13 }
            try await sessions.start(1, from: 1, at: 1)
            try await sessions.use(1, at: 2)
            try await sessions.start(2, from: 1, at: 2)
            for number in 3...15 {
                try await sessions.start(number, from: 2, at: number + 1)
                try await sessions.setUser("ada", of: number, at: number + 1)
            }
            #expect(try await sessions.clean(at: 20) == [1, 2] + Array(5...15))
        },
        Behaviour("a user's session does not count against its address, until the user logs out") { subject in
            let sessions = subject.sessions { $0.perAddress = 2 }
            for number in 1...4 {
                try await sessions.start(number, from: 1, at: number)
                try await sessions.setUser("ada", of: number, at: number)
            }
            try await sessions.start(5, from: 1, at: 5)
            try await sessions.start(6, from: 1, at: 6)
            #expect(try await sessions.clean(at: 7) == [1, 2, 3, 4, 5, 6])
            // The session started before the two others.
            try await sessions.setUser(nil, of: 4, at: 8)
            #expect(try await sessions.clean(at: 8) == [1, 2, 3, 5, 6])
            try await sessions.setUser("ada", of: 5, at: 9)
            try await sessions.setUser(nil, of: 3, at: 9)
            #expect(try await sessions.clean(at: 10) == [1, 2, 3, 5, 6])
        },
        Behaviour("a session expires without use, and at the end of its lifetime even if it is used") { subject in
            let sessions = subject.sessions { _ in }
            try await sessions.start(1, at: 0)
            try await sessions.start(2, at: 1)
            try await sessions.use(1, at: 1_799)
            #expect(try await sessions.clean(at: 1_800) == [1, 2])
            #expect(try await sessions.clean(at: 1_801) == [1])
            for time in 2..<27 { try await sessions.use(1, at: time * 1_600) }
            #expect(try await sessions.clean(at: 43_199) == [1])
            #expect(try await sessions.clean(at: 43_200) == [])
        },
        Behaviour("an expired session ends before the others, although a user is logged in") { subject in
            let sessions = subject.sessions { $0.maximum = 2 }
            try await sessions.start(1, at: 0)
            try await sessions.setUser("ada", of: 1, at: 0)
            try await sessions.start(2, at: 1_000)
            #expect(try await sessions.clean(at: 1_800) == [2])
            try await sessions.start(3, at: 1_801)
            #expect(try await sessions.clean(at: 1_801) == [2, 3])
        },
    ]
}

/// The sessions of a store, as a service uses them.
private actor StoredLimitedSessions: LimitedSessions {
    struct State {
        var id: [UInt8]
        var user: String?
        let created: Timestamp
        let address: [UInt8]?
        var size: Int
        var version = 0
    }

    let store: any SessionStore
    let limits: SessionLimitSuite.Limits
    var states: [Int: State] = [:]
    var ids = 0

    init(_ store: any SessionStore, limits: SessionLimitSuite.Limits) {
        self.store = store
        self.limits = limits
    }

    func newID() -> [UInt8] {
        ids += 1
        return SessionStoreSuite.id(ids)
    }

    func start(_ number: Int, from address: UInt8?, size: Int, at time: Int) async throws {
        states[number] = State(
            id: newID(),
            created: Timestamp(seconds: time),
            address: address.map { Array(repeating: $0, count: 8) },
            size: size
        )
        try await commit(number, at: time)
    }

    func use(_ number: Int, size: Int, at time: Int) async throws {
        states[number]?.size = size
        try await commit(number, at: time)
    }

    func setUser(_ user: String?, of number: Int, at time: Int) async throws {
        let change = SessionChange.UserChange(
            replacedID: states[number]?.id,
            response: nil,
            time: Timestamp(seconds: time),
            lastRevocation: 0
        )
        states[number]?.id = newID()
        states[number]?.user = user
        try await commit(number, change, at: time)
    }

    /// Commits an event, unless the session has ended.
    func commit(_ number: Int, _ userChange: SessionChange.UserChange? = nil, at time: Int) async throws {
        guard let state = states[number] else { return }
        ids += 1
        let change = SessionChange(
            session: StoredSession(
                id: state.id,
                user: state.user,
                created: state.created,
                lastUsed: Timestamp(seconds: time),
                content: [0x7B, 0x7D],
                address: state.address
            ),
            version: state.version,
            token: SessionStoreSuite.id(ids),
            event: [0x7B, 0x7D],
            size: state.size,
            userChange: userChange
        )
        if try await store.commit(change) == .committed { states[number]?.version += 1 }
    }

    func clean(at time: Int) async throws -> [Int] {
        var sessionLimits = SessionLimits()
        sessionLimits.maximum = limits.maximum
        sessionLimits.maximumMemory = limits.memory
        sessionLimits.maximumPerAddress = limits.perAddress
        _ = try await store.removeSessions(exceeding: sessionLimits, at: Timestamp(seconds: time))
        var live: [Int] = []
        for (number, state) in states where try await store.find(state.id, unlessVersion: 0) != .unknown {
            live.append(number)
        }
        return live.sorted()
    }
}

extension Timestamp {
    /// A number of seconds after 1970-01-01T00:00:00Z.
    public init(seconds: Int) { self.init(milliseconds: Int64(seconds) * 1_000) }
}
