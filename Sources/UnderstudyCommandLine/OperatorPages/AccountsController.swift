import Accounts
import BusinessLogic
import SessionStorage

final class AccountsController: OperatorPage, OperatorList {
    /// What the username, the email address or the ID of an account contains, in any case.
    static let search = Field<String>("search", maximumLength: 254).whenAbsent("")
    /// The accounts, sorted by username.
    static let accounts = Output<[AccountSummary]>("accounts")

    static let events: EventTable<AccountsController> = [
        .event("viewDidLoad", gives: shown) { try await $0.show() }.safe(),
        .default("searchButtonPressed", reads: search, gives: shown) { try await $0.search($1) }.safe(),
        .event("startButtonPressed", gives: shown) { try await $0.showStart() }.safe(),
        .event("moreButtonPressed", gives: shown) { try await $0.showMore() }.safe(),
    ]

    private static let shown = [.renders(accounts)] + part

    /// By the keys of the usernames.
    typealias Key = [UInt8]

    var state = ListPart<Key>()

    func show() async throws {
        try await asOperator {
            let accounts = try await $0.accounts(state.search, after: state.last, limit: state.limit)
            render(Self.accounts, state.cut(accounts, key: \.account.usernameKey))
            renderPart()
        }
    }
}

/// The logic of the page that shows an account, and changes it.
final class AccountDetailsController: OperatorPage, BusinessLogicController {
    /// The username, the email address or the ID of the account.
    static let account = Field<String>("account", minimumLength: 1, maximumLength: 254)
    /// A note for support, which the owner never sees. An empty text removes it.
    static let note = Field<String>("note", maximumLength: 1000)
    static let role = Field<String>("role", minimumLength: 1, maximumLength: 100)
    static let newUsername = Field<String>("newUsername", minimumLength: 1, maximumLength: 254)
    static let newEmail = Field<String>("newEmail", minimumLength: 1, maximumLength: 254)
    /// The username of the account, to delete it.
    static let confirmation = Field<String>("confirmation", maximumLength: 254)
    static let shownAccount = Output<AccountSummary?>("account")
    static let sessions = Output<[ListedSession]>("sessions")
    /// What has become of a change.
    static let message = Output<Message?>("message")

    static let events: EventTable<AccountDetailsController> = [
        .default("viewDidLoad", reads: account, gives: shown) { try await $0.show($1) }.safe(),
        change("disableButtonPressed") { try await $0.setDisabled(true, $1) },
        change("enableButtonPressed") { try await $0.setDisabled(false, $1) },
        change("unlockButtonPressed") { try await $0.unlock($1) },
        change("endSessionsButtonPressed") { try await $0.endSessions(of: $1) },
        change("noteButtonPressed", reads: note) { try await $0.setNote($2.isEmpty ? nil : $2, of: $1) },
        change("addRoleButtonPressed", reads: role) { try await $0.changeRoles(of: $1, adding: [$2]) },
        change("removeRoleButtonPressed", reads: role) { try await $0.changeRoles(of: $1, removing: [$2]) },
        change("renameButtonPressed", reads: newUsername) { service, account, name in
            try AccountRules.check(email: nil, username: name)
            return try await service.rename(account, to: name)
        },
        change("changeEmailButtonPressed", reads: newEmail) { service, account, address in
            try AccountRules.check(email: address)
            return try await service.setEmail(address, of: account)
        },
        .event(
            "deleteButtonPressed",
            reads: account,
            confirmation,
            gives: changed + [.renders(message, .wrongConfirmation)]
        ) { try await $0.delete($1, $2) },
    ]

    private static let shown: [CommandDeclaration] = [
        .renders(shownAccount), .renders(sessions), .renders(message, .unknownAccount), .goes(to: .operatorLogin),
    ]
    private static let changed = shown + [.renders(message, .changed, .unchanged, .rejected("the reason"))]

    /// An event that changes the account, and shows what has become of it. `change` returns `false` if nothing has changed, or if there is no
    /// such account any more.
    private static func change(
        _ event: Event,
        _ change: @escaping @Sendable (AccountService, AccountID) async throws -> Bool
    ) -> EventRow<AccountDetailsController> {
        .event(event, reads: account, gives: changed) { try await $0.change($1, change) }
    }

    /// The same with a value that the event reads in addition to the account.
    private static func change(
        _ event: Event,
        reads field: Field<String>,
        _ change: @escaping @Sendable (AccountService, AccountID, String) async throws -> Bool
    ) -> EventRow<AccountDetailsController> {
        .event(event, reads: account, field, gives: changed) { page, account, text in
            try await page.change(account, about: field.name) { try await change($0, $1, text) }
        }
    }

    typealias State = NoState

    private static let maximumSessions = 100

    private func show(_ name: String) async throws {
        try await asOperator { try await show($0.database.account(named: name), nil, $0) }
    }

    private func show(_ account: Account?, _ message: Message?, _ administration: Administration) async throws {
        guard let account, let summary = try await administration.summaries(of: [account]).first else {
            render(Self.shownAccount, nil)
            render(Self.sessions, [])
            return render(Self.message, message ?? .unknownAccount)
        }
        let sessions = try await administration.sessions(
            SessionFilter(user: account.id.text),
            after: nil,
            limit: Self.maximumSessions
        )
        render(Self.shownAccount, summary)
        render(Self.sessions, sessions)
        render(Self.message, message)
    }

    /// Changes the account, and shows what has become of it. The form of `field` shows why the change is not possible; `nil` for a form
    /// without a field.
    private func change(
        _ name: String,
        about field: String? = nil,
        _ change: (AccountService, AccountID) async throws -> Bool
    ) async throws {
        try await asOperator { administration in
            guard let account = try await administration.database.account(named: name) else {
                return try await show(nil, nil, administration)
            }
            var message = Message.changed
            var isChanged = false
            do {
                isChanged = try await administration.change { try await change($0, account.id) }
                if !isChanged { message = .unchanged }
            } catch let error as any AccountRejection {
                message = .rejected("\(error)")
                if let field { message = message.about(field) }
            }
            // By its ID, because its name may be another one now.
            let changed = try await administration.database.account(account.id)
            try await show(changed, changed != nil || isChanged ? message : nil, administration)
        }
    }

    private func delete(_ name: String, _ confirmation: String) async throws {
        try await asOperator { administration in
            guard let account = try await administration.database.account(named: name) else {
                return try await show(nil, nil, administration)
            }
            guard confirmation == account.username else { return render(Self.message, .wrongConfirmation) }
            try await change(account.id.text) { try await $0.delete($1) }
        }
    }
}

extension Message {
    static let unknownAccount = Message(code: "operator.unknownAccount", text: "There is no such account")
    static let changed = Message.notice(code: "operator.changed", text: "The account was changed")
    static let unchanged = Message.notice(code: "operator.unchanged", text: "Nothing was to be changed")
    static let wrongConfirmation = Message(
        code: "operator.wrongConfirmation",
        text: "Enter the username of the account to delete it",
        field: "confirmation"
    )

    static func rejected(_ reason: String) -> Message {
        Message(
            code: "operator.rejected",
            text: "This is not possible: \(reason)",
            parameters: ["reason": .string(reason)]
        )
    }
}
