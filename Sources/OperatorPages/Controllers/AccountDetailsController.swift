package import BusinessLogic

/// The logic of the page that shows an account, and changes it.
package final class AccountDetailsController: OperatorController {
    /// The username, the email address or the ID of the account.
    package static let account = Field<String>(
        "account",
        minimumLength: 1,
        maximumLength: 254,
        description: "The username, the email address or the ID of the account."
    )
    /// A note for support.
    package static let note = Field<String>(
        "note",
        maximumLength: 1000,
        description: "A note for support, which the owner never sees. An empty text removes it."
    )
    /// A role.
    package static let role = Field<String>("role", minimumLength: 1, maximumLength: 100, description: "A role.")
    /// The new name for logging in.
    package static let newUsername = Field<String>(
        "newUsername",
        minimumLength: 1,
        maximumLength: 254,
        description: "The new name for logging in."
    )
    /// The new email address.
    package static let newEmail = Field<String>(
        "newEmail",
        minimumLength: 1,
        maximumLength: 254,
        description: "The new email address."
    )
    /// The username of the account that is deleted.
    package static let confirmation = Field<String>(
        "confirmation",
        maximumLength: 254,
        description: "The username of the account, to delete it."
    )
    /// The account.
    package static let shownAccount = Output<ShownAccount?>("account", description: "The account.")
    /// What has become of a change.
    package static let message = Output<Message?>("message", description: "What has become of a change.")

    package static let events: EventTable<AccountDetailsController> = [
        .default("viewDidLoad", reads: account, gives: shown) { try await $0.show($1) }.safe(),
        .event("disableButtonPressed", reads: account, gives: changed) { try await $0.change($1, .disable) },
        .event("enableButtonPressed", reads: account, gives: changed) { try await $0.change($1, .enable) },
        .event("unlockButtonPressed", reads: account, gives: changed) { try await $0.change($1, .unlock) },
        .event("endSessionsButtonPressed", reads: account, gives: changed) { try await $0.change($1, .endSessions) },
        .event("noteButtonPressed", reads: account, note, gives: changed) { try await $0.change($1, .note($2)) },
        .event("addRoleButtonPressed", reads: account, role, gives: changed) {
            try await $0.change($1, .addRole($2))
        },
        .event("removeRoleButtonPressed", reads: account, role, gives: changed) {
            try await $0.change($1, .removeRole($2))
        },
        .event("renameButtonPressed", reads: account, newUsername, gives: changed) {
            try await $0.change($1, .rename($2))
        },
        .event("changeEmailButtonPressed", reads: account, newEmail, gives: changed) {
            try await $0.change($1, .changeEmail($2))
        },
        .event(
            "deleteButtonPressed",
            reads: account,
            confirmation,
            gives: changed + [.renders(message, .wrongConfirmation)]
        ) { try await $0.delete($1, $2) },
    ]

    private static let shown: [CommandDeclaration] = [
        .renders(shownAccount), .renders(message, .unknownAccount), .goes(to: .operatorLogin),
    ]
    private static let changed = shown + [.renders(message, .changed, .unchanged, .rejected("the reason"))]

    package typealias State = NoState

    package weak var controllable: (any Controllable)?
    package let administration: any Administration
    package let identity: any Identity

    package init(administration: any Administration, identity: any Identity) {
        self.administration = administration
        self.identity = identity
    }

    private func show(_ name: String, _ message: Message? = nil) async throws {
        try await asOperator { _ in
            let account = try await administration.account(name)
            render(Self.shownAccount, account)
            render(Self.message, account == nil ? message ?? .unknownAccount : message)
        }
    }

    private func change(_ name: String, _ change: AccountAction) async throws {
        try await asOperator { client in
            guard let account = try await administration.account(name) else { return try await show(name) }
            let message: Message =
                switch try await administration.change(account.names.id, change, by: client) {
                case .changed: .changed
                case .unchanged: .unchanged
                case .unknown: .unknownAccount
                case .rejected(let reason): .rejected(reason)
                }
            // By its ID, because its name may be another one now.
            try await show(account.names.id, message)
        }
    }

    private func delete(_ name: String, _ confirmation: String) async throws {
        try await asOperator { _ in
            guard let account = try await administration.account(name) else { return try await show(name) }
            guard confirmation == account.names.username else { return render(Self.message, .wrongConfirmation) }
            try await change(account.names.id, .delete)
        }
    }
}

extension Message {
    /// There is no such account.
    static let unknownAccount = Message(code: "operator.unknownAccount", text: "There is no such account")
    /// The account was changed.
    static let changed = Message.notice(code: "operator.changed", text: "The account was changed")
    /// The account was as it should be.
    static let unchanged = Message.notice(code: "operator.unchanged", text: "Nothing was to be changed")
    /// The confirmation is not the username.
    static let wrongConfirmation = Message(
        code: "operator.wrongConfirmation",
        text: "Enter the username of the account to delete it",
        field: "confirmation"
    )

    /// The change is not possible.
    static func rejected(_ reason: String) -> Message {
        Message(
            code: "operator.rejected",
            text: "This is not possible: \(reason)",
            parameters: ["reason": .string(reason)]
        )
    }
}
