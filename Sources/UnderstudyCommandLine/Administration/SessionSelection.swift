import Addresses
import ArgumentParser

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
            "Only sessions without a logged-in user that were started from this IP address (of IPv6, from its /64); never this machine's own, unless 'limit-loopback' is on.",
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
}

/// An IP address as an argument.
struct IPAddressArgument: ExpressibleByArgument {
    let address: IPAddress

    init?(argument: String) {
        guard let address = IPAddress(argument) else { return nil }
        self.address = address
    }
}
