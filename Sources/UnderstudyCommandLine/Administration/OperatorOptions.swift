import Accounts
import AccountsDatabase
import ArgumentParser
import BusinessLogic
import Glibc

/// The option that names the operator, for commands that change something.
struct OperatorOptions: ParsableArguments {
    /// The maximum number of characters of a name.
    private static let maximumLength = 128

    @Option(
        name: .customLong("as"),
        help: "Who makes the change, for the audit log. (default: SUDO_USER, or the system's user)"
    )
    var name: String?

    func validate() throws {
        guard let name, !Self.isValid(name) else { return }
        throw ValidationError(
            "The value of '--as' is invalid: expected a name of 1 to \(Self.maximumLength) characters, without control characters."
        )
    }

    /// The operator's name.
    var operatorName: String {
        if let name { return name }
        if let name = Application.current.environment["SUDO_USER"], Self.isValid(name) { return name }
        let user = geteuid()
        let name = getpwuid(user).map { String(cString: $0.pointee.pw_name) } ?? ""
        return Self.isValid(name) ? name : "uid \(user)"
    }

    /// The audit log for what the operator does. Prints errors.
    func log(in database: some Database) -> OperatorAuditLog {
        let log = DatabaseAuditLog(database) { _, error in
            Terminal.printError("The audit log cannot be written: \(error)")
        }
        return OperatorAuditLog(log: log, operatorName: operatorName)
    }

    /// Whether a name can be in the audit log: what controls a terminal or the direction of a text would falsify its lines.
    static func isValid(_ name: String) -> Bool {
        !name.isEmpty && name.unicodeScalars.count <= maximumLength
            && !name.unicodeScalars.contains(where: \.isUnprintable)
    }
}

/// An audit log of what an operator does.
struct OperatorAuditLog: AuditLog {
    let log: any AuditLog
    let operatorName: String
    /// The browser of the operator; empty for a command.
    var client = ClientContext()

    func record(_ event: AuditEvent) async { await log.record(named(event)) }

    func recordAtCommit(_ event: AuditEvent) async { await log.recordAtCommit(named(event)) }

    private func named(_ event: AuditEvent) -> AuditEvent {
        var event = event
        event.operatorName = operatorName
        if let address = client.address { event.address = address }
        if let id = client.requestID { event.requestID = id }
        return event
    }
}
