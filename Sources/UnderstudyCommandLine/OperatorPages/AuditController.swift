import Accounts
package import AccountsDatabase
package import BusinessLogic

final class AuditController: OperatorPage, OperatorList {
    /// What the records contain: an operator, an account's ID, an event, a reason, an address or the ID of a request; empty for all.
    static let text = Field<String>("text", maximumLength: 254).whenAbsent("")
    /// The records, the newest first.
    static let records = Output<[StoredAuditRecord]>("records")

    static let events: EventTable<AuditController> = [
        .event("viewDidLoad", gives: shown) { try await $0.show() }.safe(),
        .default("searchButtonPressed", reads: text, gives: shown) { try await $0.search($1) }.safe(),
        .event("startButtonPressed", gives: shown) { try await $0.showStart() }.safe(),
        .event("moreButtonPressed", gives: shown) { try await $0.showMore() }.safe(),
    ]

    private static let shown = [.renders(records)] + part

    /// By the numbers of the records.
    typealias Key = Int

    var state = ListPart<Key>()

    func show() async throws {
        try await asOperator { administration in
            let records = try await administration.database.auditRecords(
                before: state.last,
                containing: state.search,
                limit: state.limit
            )
            render(Self.records, state.cut(records, key: \.number))
            renderPart()
        }
    }
}

extension StoredAuditRecord: ObjectValue {
    package static let object = ObjectSchema<StoredAuditRecord>(
        showing: Member("time", \.time),
        Member("event") { $0.text("event") },
        Member("operator") { $0.text("operator") },
        Member("account", \.account?.text),
        Member("reason") { $0.text("reason") },
        Member("address") { $0.text("address") }
    )
}
