internal import Addresses

/// A queue of jobs that schedules requesters round-robin: first known devices and others, then by network (for IPv6 by /48, /56 and /64), then by
/// account. The jobs of one account of one network run in the order of their arrival.
///
/// So a client that adds many jobs delays only its own. Each operation takes time in proportion to the number of jobs.
struct FairQueue<Job> {
    /// The jobs of all requesters that agree in the first parts of their paths. Never empty, except for the whole queue.
    private struct Line {
        let part: Part?
        var count = 0
        /// The lines by the next part, the next one first; empty at the end of the path.
        var lines: [Line] = []
        /// The jobs at the end of the path, in the order of their arrival.
        var jobs: [Job] = []

        mutating func append(_ job: Job, _ path: ArraySlice<Part>) {
            count += 1
            guard let part = path.first else { return jobs.append(job) }
            let index = lines.firstIndex { $0.part == part } ?? lines.endIndex
            if index == lines.endIndex { lines.append(Line(part: part)) }
            lines[index].append(job, path.dropFirst())
        }

        mutating func popFirst() -> Job? {
            guard count > 0 else { return nil }
            count -= 1
            if lines.isEmpty { return jobs.removeFirst() }
            var line = lines.removeFirst()
            let job = line.popFirst()
            if line.count > 0 { lines.append(line) }
            return job
        }

        mutating func remove(where condition: (Job) -> Bool) -> Job? {
            if let index = jobs.firstIndex(where: condition) {
                count -= 1
                return jobs.remove(at: index)
            }
            for index in lines.indices {
                guard let job = lines[index].remove(where: condition) else { continue }
                removed(from: index)
                return job
            }
            return nil
        }

        /// - Parameter path: the rest of the path of the requester, if all its parts until here are those of this line.
        mutating func removeNewest(makingRoomFor path: ArraySlice<Part>?) -> Job? {
            if lines.isEmpty {
                // The requester itself has the most jobs.
                guard path == nil, !jobs.isEmpty else { return nil }
                count -= 1
                return jobs.removeLast()
            }
            let own = path.flatMap { path in lines.firstIndex { $0.part == path.first } }
            var chosen = own
            // The requester's new job counts.
            var most = path == nil ? 0 : (own.map { lines[$0].count } ?? 0) + 1
            for (index, line) in lines.enumerated() where line.count > most { (chosen, most) = (index, line.count) }
            guard let chosen,
                let job = lines[chosen].removeNewest(makingRoomFor: chosen == own ? path?.dropFirst() : nil)
            else { return nil }
            removed(from: chosen)
            return job
        }

        private mutating func removed(from index: Int) {
            count -= 1
            if lines[index].count == 0 { lines.remove(at: index) }
        }
    }

    /// A part of the path to the jobs of a requester.
    fileprivate enum Part: Equatable {
        case device(isKnown: Bool)
        case network(IPAddress?)
        case account(AccountKey?)
    }

    private var all = Line(part: nil)

    /// The number of waiting jobs.
    var count: Int { all.count }

    var isEmpty: Bool { count == 0 }

    /// Adds a job after those of its requester.
    mutating func append(_ job: Job, of requester: PasswordHasher.Requester) {
        all.append(job, Self.path(of: requester)[...])
    }

    /// Removes and returns the next job.
    mutating func popFirst() -> Job? { all.popFirst() }

    /// Removes and returns the first job that satisfies a condition.
    mutating func remove(where condition: (Job) -> Bool) -> Job? { all.remove(where: condition) }

    /// Removes and returns a job, so that a full queue has room for one of `requester`: the newest job of the account with the
    /// most jobs, in the network with the most jobs. The requester's new job counts as waiting.
    ///
    /// - Returns: `nil` if no other requester has more jobs than this one.
    mutating func removeNewest(makingRoomFor requester: PasswordHasher.Requester) -> Job? {
        all.removeNewest(makingRoomFor: Self.path(of: requester)[...])
    }

    private static func path(of requester: PasswordHasher.Requester) -> [Part] {
        // One customer of a provider has a /56 or a /48 of IPv6 as often as a /64.
        let networks: [IPAddress?] =
            requester.address.map { $0.isV4 ? [$0] : [$0.network(48), $0.network(56), $0.network(64)] } ?? [nil]
        return [.device(isKnown: requester.isKnownDevice)] + networks.map { .network($0) } + [
            .account(requester.account)
        ]
    }
}
