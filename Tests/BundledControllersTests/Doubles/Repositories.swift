import BundledControllers
import BusinessLogic

/// Returns one list after another, then fails. Counts its calls.
actor RepositorySpy: Repository {
    private(set) var calls = 0
    private var lists: [[Product]]

    init(_ lists: [Product]...) {
        self.lists = lists
    }

    func get() throws -> [Product] {
        calls += 1
        if lists.isEmpty { throw CollaboratorError.unavailable(retryAfter: .seconds(1)) }
        return lists.removeFirst()
    }
}
