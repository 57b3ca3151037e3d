import BusinessLogic

/// What all pages have in common that only operators use.
class OperatorPage {
    weak var controllable: (any Controllable)?
    let access: OperatorAccess
    let identity: any Identity

    init(access: OperatorAccess, identity: any Identity) {
        self.access = access
        self.identity = identity
    }
}

extension Eventable where Self: OperatorPage {
    /// Runs `body` with the administration by the operator who is logged in. If no operator is, or the token of the server has changed since,
    /// logs out and goes to the login.
    func asOperator(_ body: (Administration) async throws -> Void) async throws {
        guard let user = identity.user else { return goToPage(.operatorLogin) }
        guard try access.isLoggedIn(user) else {
            identity.user = nil
            return goToPage(.operatorLogin)
        }
        try await body(access.administration.changed(by: identity.client))
    }

    /// The administration for an open page that shows what is new; `nil` if no operator is logged in any more. An update neither logs out nor
    /// goes to another page.
    func administrationForRefresh() throws -> Administration? {
        guard let user = identity.user, try access.isLoggedIn(user) else { return nil }
        return access.administration
    }
}

/// The part of a list that a page shows.
struct ListPart<Key: Codable & Equatable & Sendable>: Codable, Equatable, Sendable {
    /// The key of the entry after which the part begins; `nil` for the start of the list.
    private(set) var last: Key?
    /// The key of the last entry of the part, if there are more.
    private var end: Key?

    /// The maximum number of entries of a part.
    private static var count: Int { 50 }

    /// How many entries ``cut(_:key:)`` needs at most.
    static var limit: Int { count + 1 }

    /// Whether there are more entries.
    var hasMore: Bool { end != nil }

    /// Goes to the next part. At the end, the list begins again.
    mutating func advance() { last = end }

    /// The entries of the part.
    ///
    /// - Parameter entries: the entries after ``last``, at most ``limit``.
    mutating func cut<Entry>(_ entries: [Entry], key: (Entry) -> Key) -> [Entry] {
        let part = Array(entries.prefix(Self.count))
        end = entries.count > part.count ? part.last.map(key) : nil
        return part
    }
}
