import Glibc
import MicroHTTP

struct DescriptorNeeds {
    private let server: ServerConfiguration
    /// Those that are not for clients: of the port for operators with its 65 connections, the event loops, the database, files, the log, and
    /// connections to the mail server.
    private let others: UInt64

    /// Each connection to a database server also has a descriptor that wakes its thread.
    init(_ server: ServerConfiguration, databaseConnections: Int) {
        self.server = server
        others = UInt64(200 + 2 * databaseConnections + 8 * server.loops)
    }

    /// The fewest with which a server can serve at all: with fewer, files and event loops cannot be opened.
    private var minimum: UInt64 { others / 2 }

    /// - Throws: ``CommandError`` if the limit is so low that the server could not serve.
    func requireMinimum(of limit: UInt64) throws(CommandError) {
        guard limit < minimum else { return }
        throw CommandError(
            "The limit of open files is \(limit), and the server needs at least \(minimum): raise it with 'ulimit -n' or LimitNOFILE."
        )
    }

    /// Those of as many connections as the configuration permits.
    ///
    /// A rejected client keeps the descriptor of its connection for a moment: at most one for eight connections.
    var total: UInt64 { UInt64(server.maximumConnections) + UInt64(server.maximumConnections) / 8 + others }

    /// How many connections leave enough of the descriptors for everything else; at least one for each event loop.
    func connections(within descriptors: UInt64) -> Int {
        let rest = descriptors > others ? descriptors - others : 0
        return min(server.maximumConnections, max(server.loops, Int(clamping: rest / 9 * 8)))
    }

    /// Raises the limit of the process to the total, or as far as it may, and returns it.
    func raiseLimit() -> UInt64 {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return .max }
        let former = UInt64(limit.rlim_cur)
        guard former < total, limit.rlim_cur < limit.rlim_max else { return former }
        limit.rlim_cur = min(limit.rlim_max, rlim_t(total))
        return setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 ? UInt64(limit.rlim_cur) : former
    }
}
