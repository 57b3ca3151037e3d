package import BusinessLogic

/// An account in a list.
package struct AccountSummary: Equatable, Sendable {
    /// The account's permanent ID.
    package let id: String
    package let username: String
    package let name: String
    package let created: Timestamp
    /// `active`, `disabled`, `unconfirmed` or `locked until TIME`.
    package let state: String
    /// After which the list continues. It is not shown.
    package let key: [UInt8]

    package init(id: String, username: String, name: String, created: Timestamp, state: String, key: [UInt8]) {
        (self.id, self.username, self.name, self.created, self.state) = (id, username, name, created, state)
        self.key = key
    }
}

extension AccountSummary: ObjectValue {
    package static let object = ObjectSchema(
        { AccountSummary(id: $0, username: $1, name: $2, created: $3, state: $4, key: []) },
        Member("id", \.id),
        Member("username", \.username),
        Member("name", \.name),
        Member("created", \.created),
        Member("state", \.state)
    )
}

/// An account as `understudy account show` prints it, with its sessions.
package struct ShownAccount: Equatable, Sendable {
    /// What the account is called, and where its owner is reached.
    package struct Names: Equatable, Sendable {
        /// The account's permanent ID.
        package let id: String
        package let username: String
        package let name: String
        package let email: String
        /// When the owner confirmed the address.
        package let confirmed: Timestamp?
        package let contactEmail: String?
        package let userID: String?

        package init(
            id: String,
            username: String,
            name: String,
            email: String,
            confirmed: Timestamp?,
            contactEmail: String?,
            userID: String?
        ) {
            (self.id, self.username, self.name, self.email) = (id, username, name, email)
            (self.confirmed, self.contactEmail, self.userID) = (confirmed, contactEmail, userID)
        }
    }

    /// Whether and how the owner can log in.
    package struct Access: Equatable, Sendable {
        package let created: Timestamp
        /// `active`, `disabled`, `unconfirmed` or `locked until TIME`.
        package let state: String
        package let isDisabled: Bool
        /// The number of failed logins.
        package let failures: Int
        /// How the password is hashed.
        package let password: String
        /// What a login needs besides the password.
        package let factors: String?

        package init(
            created: Timestamp,
            state: String,
            isDisabled: Bool,
            failures: Int,
            password: String,
            factors: String?
        ) {
            (self.created, self.state, self.isDisabled) = (created, state, isDisabled)
            (self.failures, self.password, self.factors) = (failures, password, factors)
        }
    }

    package let names: Names
    package let access: Access
    package let note: String
    package let roles: [String]
    /// The sessions, at most 100.
    package let sessions: [SessionSummary]

    package init(names: Names, access: Access, note: String, roles: [String], sessions: [SessionSummary]) {
        (self.names, self.access, self.note, self.roles, self.sessions) = (names, access, note, roles, sessions)
    }
}

extension ShownAccount.Names: ObjectValue {
    package static let object = ObjectSchema(
        ShownAccount.Names.init(id:username:name:email:confirmed:contactEmail:userID:),
        Member("id", \.id),
        Member("username", \.username),
        Member("name", \.name),
        Member("email", \.email),
        Member("confirmed", \.confirmed),
        Member("contactEmail", \.contactEmail),
        Member("userID", \.userID)
    )
}

extension ShownAccount.Access: ObjectValue {
    package static let object = ObjectSchema(
        ShownAccount.Access.init(created:state:isDisabled:failures:password:factors:),
        Member("created", \.created),
        Member("state", \.state),
        Member("isDisabled", \.isDisabled),
        Member("failures", \.failures),
        Member("password", \.password),
        Member("factors", \.factors)
    )
}

extension ShownAccount: ObjectValue {
    package static let object = ObjectSchema(
        ShownAccount.init(names:access:note:roles:sessions:),
        Member("names", \.names),
        Member("access", \.access),
        Member("note", \.note),
        Member("roles", \.roles),
        Member("sessions", \.sessions)
    )
}
