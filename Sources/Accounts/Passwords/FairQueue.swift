import Addresses

/// A queue of jobs that schedules requesters round-robin: first known devices and others, then by network (for IPv6 by /48, /56 and /64), then by
/// account. The jobs of one account of one network run in the order of their arrival.
///
/// So a client that adds many jobs delays only its own. Each operation takes time in proportion to the number of jobs.
struct FairQueue<Job> {
    /// The path to the jobs of a requester, or its first parts.
    private typealias Path = [Part]

    private enum Part: Hashable {
        case device(isKnown: Bool)
        case network(IPAddress?)
        case account(AccountKey?)
    }

    /// The jobs of all requesters that agree in the first parts of their paths.
    private struct Line {
        /// When it had its last turn, or began.
        var turn: Int
        var count = 0
    }

    /// The jobs, in the order of their arrival.
    private var waiting: [(job: Job, path: Path)] = []
    private var lines: [Path: Line] = [:]
    private var lastTurn = 0

    var count: Int { waiting.count }

    var isEmpty: Bool { waiting.isEmpty }

    /// Adds a job after those of its requester.
    mutating func append(_ job: Job, of requester: PasswordHasher.Requester) {
        let path = Self.path(of: requester)
        lastTurn += 1
        for line in Self.lines(of: path) { lines[line, default: Line(turn: lastTurn)].count += 1 }
        waiting.append((job, path))
    }

    mutating func popFirst() -> Job? {
        var path: Path = []
        while let next = lines(in: path).min(by: { $0.value.turn < $1.value.turn }) { path = next.key }
        lastTurn += 1
        for line in Self.lines(of: path) { lines[line]?.turn = lastTurn }
        return waiting.firstIndex { $0.path == path }.map { remove(at: $0) }
    }

    /// Removes and returns the first job that satisfies a condition.
    mutating func remove(where condition: (Job) -> Bool) -> Job? {
        waiting.firstIndex { condition($0.job) }.map { remove(at: $0) }
    }

    /// Removes and returns a job, so that a full queue has room for one of `requester`: the newest job of the account with the most jobs, in
    /// the network with the most jobs. The requester's new job counts as waiting. Returns `nil` if no other requester has more jobs than this
    /// one.
    mutating func removeNewest(makingRoomFor requester: PasswordHasher.Requester) -> Job? {
        let own = Self.lines(of: Self.path(of: requester))
        var path: Path = []
        while let longest = lines(in: path).max(by: {
            ($0.value.count, -$0.value.turn) < ($1.value.count, -$1.value.turn)
        }) {
            let ownLine = own.first { $0.count == path.count + 1 && $0.starts(with: path) }
            let isOwnLongest = ownLine.map { (lines[$0]?.count ?? 0) + 1 >= longest.value.count } ?? false
            guard let next = isOwnLongest ? ownLine : longest.key else { break }
            path = next
        }
        // The requester itself has the most jobs.
        if own.contains(path) { return nil }
        return waiting.lastIndex { $0.path == path }.map { remove(at: $0) }
    }

    private mutating func remove(at index: Int) -> Job {
        let (job, path) = waiting.remove(at: index)
        for line in Self.lines(of: path) {
            lines[line]?.count -= 1
            if lines[line]?.count == 0 { lines[line] = nil }
        }
        return job
    }

    /// The lines into which the one of a path is divided by the next part.
    private func lines(in path: Path) -> [Path: Line] {
        lines.filter { $0.key.count == path.count + 1 && $0.key.starts(with: path) }
    }

    /// The paths of the lines that contain the jobs of a requester.
    private static func lines(of path: Path) -> [Path] { path.indices.map { Array(path[...$0]) } }

    private static func path(of requester: PasswordHasher.Requester) -> Path {
        // One customer of a provider has a /56 or a /48 of IPv6 as often as a /64.
        let networks: [IPAddress?] =
            requester.address.map { $0.isV4 ? [$0] : [$0.network(48), $0.network(56), $0.network(64)] } ?? [nil]
        return [.device(isKnown: requester.isKnownDevice)] + networks.map { .network($0) } + [
            .account(requester.account)
        ]
    }
}
