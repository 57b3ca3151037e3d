import Accounts
import AccountsDatabase
import Addresses
import ArgumentParser
import BusinessLogic
import SessionStorage
import Understudy
import UnderstudySessions

/// Which sessions a command lists or ends.
struct SessionSelection: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Only sessions of this account: a username, an email address or an id.",
            valueName: "username"
        )
    )
    var account: String?

    @Option(
        help: ArgumentHelp(
            "Only sessions without a logged-in user that were started from this IP address (of IPv6, from its /64).",
            valueName: "ip"
        )
    )
    var address: IPAddressArgument?

    @Option(
        help: ArgumentHelp("Only sessions that were started at least this time ago, such as 12h.", valueName: "time")
    )
    var olderThan: TimeSpan?

    @Option(help: ArgumentHelp("Only sessions that no request has used for at least this time.", valueName: "time"))
    var unusedFor: TimeSpan?

    /// Whether all sessions are selected.
    var isEmpty: Bool { account == nil && address == nil && olderThan == nil && unusedFor == nil }

    /// The filter of these options.
    ///
    /// - Throws: ``CommandError`` if there is no such account.
    func filter(in database: any Database, at now: Timestamp) async throws -> SessionFilter {
        var filter = SessionFilter()
        if let account { filter.user = try await database.knownAccount(account).id.text }
        if let address { filter.address = try await database.hash(of: address.address) }
        filter.created = olderThan.map { now - $0.duration }
        filter.lastUsed = unusedFor.map { now - $0.duration }
        return filter
    }
}

/// An IP address as an argument.
struct IPAddressArgument: ExpressibleByArgument {
    let address: IPAddress

    init?(argument: String) {
        guard let address = IPAddress(argument) else { return nil }
        self.address = address
    }
}
