/// Which updates of a controller have run.
package struct UpdateProgress: Equatable, Sendable {
    /// The number of the last publication that the controller has seen, in ``Topics``.
    private var seen: UInt64 = 0
    /// The origin of this number; 0 before the controller's first event.
    private var origin: UInt64 = 0
    /// The times of the timers that have run, by their indices in the event table.
    private var fired: [Int: Timestamp] = [:]

    /// The maximum number of topics that the controllers of a session can follow.
    package static let maximumTopics = 64

    package init() {}

    /// Begins the controller's first event. It has seen what was published before.
    package mutating func start(_ topics: Topics) {
        if origin == 0 { (seen, origin) = (topics.latest, topics.origin) }
    }

    /// The updates that are due, as indices in the event table.
    ///
    /// If none is due, the controller counts as having seen all publications. Otherwise, call ``finish(_:)`` after all have succeeded.
    package mutating func due<Controller: BusinessLogicController>(
        of controller: Controller,
        _ topics: Topics,
        at now: Timestamp
    ) -> DueUpdates {
        let known = topics.number(seen, of: origin)
        var due = DueUpdates(latest: topics.latest, origin: topics.origin)
        // Most requests find that nothing has been published, so that they need not look at the updates.
        guard Controller.events.hasTimers || topics.havePublished(after: known) else {
            finish(due)
            return due
        }
        controller.forEachUpdate { index, topicsOfUpdate, time in
            if let time {
                if time <= now, fired[index] != time { due.timers.append((index, time)) }
            } else if topics.havePublished(topicsOfUpdate.prefix(Self.maximumTopics), after: known) {
                due.indices.append(index)
            }
        }
        due.indices += due.timers.map(\.index)
        if due.indices.isEmpty { finish(due) }
        return due
    }

    package mutating func finish(_ due: DueUpdates) {
        (seen, origin) = (due.latest, due.origin)
        for timer in due.timers { fired[timer.index] = timer.time }
    }

    /// Records that an update has run which was not found by ``due(of:_:at:)``; `time` is `nil` if it follows topics.
    package mutating func finish(_ index: Int, at time: Timestamp?) {
        if let time { fired[index] = time }
    }

    /// The updates that can run in the controller's state: their indices in the event table, with the times of timers.
    package func pending(of controller: some BusinessLogicController) -> [(index: Int, time: Timestamp?)] {
        var pending: [(index: Int, time: Timestamp?)] = []
        controller.forEachUpdate { index, topics, time in
            if time.map({ fired[index] != $0 }) ?? !topics.isEmpty { pending.append((index, time)) }
        }
        return pending
    }

    package func nextTimer(of controller: some BusinessLogicController) -> Timestamp? {
        var next: Timestamp?
        controller.forEachUpdate { index, _, time in
            if let time, fired[index] != time { next = min(next ?? time, time) }
        }
        return next
    }
}

package struct DueUpdates {
    /// The number of the last publication before the updates run.
    fileprivate let latest: UInt64
    fileprivate let origin: UInt64
    fileprivate var timers: [(index: Int, time: Timestamp)] = []
    /// The indices of the updates in the controller's event table, in the order in which they run.
    package fileprivate(set) var indices: [Int] = []
}

extension UpdateProgress: Decodable {
    private enum CodingKeys: CodingKey {
        case seen, origin, fired
    }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        // As texts: JSON's numbers are exact up to 2⁵³ only.
        seen = UInt64(try container.decode(String.self, forKey: .seen)) ?? 0
        origin = UInt64(try container.decode(String.self, forKey: .origin)) ?? 0
        let times = try container.decode([String: Timestamp].self, forKey: .fired)
        for (index, time) in times { if let index = Int(index) { fired[index] = time } }
    }

    package var stored: Value {
        var times = Value.Object()
        for (index, time) in fired.sorted(by: { $0.key < $1.key }) { times["\(index)"] = Value(Int(time.milliseconds)) }
        return ["seen": .string("\(seen)"), "origin": .string("\(origin)"), "fired": .object(times)]
    }
}

extension BusinessLogicController {
    package var followedTopics: [Topic] {
        var all: [Topic] = []
        forEachUpdate { _, topics, _ in all += topics }
        return all
    }

    /// Calls `body` with each update that can become due: its index in the event table, and its topics or its time.
    fileprivate func forEachUpdate(_ body: (Int, [Topic], Timestamp?) -> Void) {
        let table = Self.events
        for (offset, trigger) in table.triggers.enumerated() {
            let index = table.declarations.count + offset
            switch trigger {
            case .topics(let topics): body(index, topics(self), nil)
            case .time(let time): if let time = time(self) { body(index, [], time) }
            }
        }
    }
}
