import Foundation
import Glibc
import PostgreSQL

/// A drop-in for the systemd unit of the Debian package, whose service reaches no network: it admits the servers that the settings name.
struct NetworkDropIn {
    /// The servers that the service reaches over TCP, each as a name or an address.
    private let hosts: [String]

    /// What the servers are, for a comment.
    private let purpose: String

    /// - Parameter mailHost: the host of the mail server; `nil` if the service reaches none over TCP.
    init(reaching database: DatabaseLocation?, mailHost: String?) {
        let databases = if case .server(let configuration) = database { configuration.tcpHosts } else { [String]() }
        let mails = mailHost.map { [$0] } ?? []
        hosts = databases + mails.filter { !databases.contains($0) }
        let purposes = (databases.isEmpty ? [] : ["its database"]) + (mails.isEmpty ? [] : ["its mail server"])
        purpose = purposes.joined(separator: " and ")
    }

    /// The text of the drop-in. It contains only a comment if the service needs no network.
    var text: String {
        let command = Application.current.commandName
        guard !hosts.isEmpty else { return "# '\(command) config --drop-in': no setting needs the network.\n" }
        let names = hosts.filter { !Self.isAddress($0) }.map(\.printable)
        let filter =
            if names.isEmpty {
                "IPAddressAllow=\(hosts.joined(separator: " "))"
            } else {
                """
                # systemd filters by address, and these are names: \(names.joined(separator: ", "))
                # To keep the filter, replace the next line by IPAddressAllow= with the addresses of the servers and of the resolver.
                IPAddressDeny=
                """
            }
        return """
            # '\(command) config --drop-in': the service reaches \(purpose) over TCP.
            [Service]
            PrivateNetwork=no
            \(filter)

            """
    }

    /// What the operator must do so that the packaged service reaches the servers; `nil` if the package is not installed, or the
    /// drop-in is.
    var advice: String? {
        let unit = Application.current.identifier + ".service"
        let file = "/etc/systemd/system/\(unit).d/network.conf"
        let files = FileManager.default
        guard !hosts.isEmpty, files.fileExists(atPath: "/usr/lib/systemd/system/" + unit),
            !files.fileExists(atPath: file)
        else { return nil }
        return """
            \(unit) reaches \(purpose) over TCP only with the drop-in \(file): write the output of \
            '\(Application.current.commandName) config --drop-in' into it.
            """
    }

    /// Whether systemd accepts the text as an address.
    private static func isAddress(_ host: String) -> Bool {
        var address = in6_addr()
        return host == "localhost" || inet_pton(AF_INET, host, &address) == 1
            || inet_pton(AF_INET6, host, &address) == 1
    }
}
