import BundledControllers
import BusinessLogic
import TestSupport

/// A repository that cannot be reached.
struct FailingRepository: Repository {
    func get() throws -> [Product] { throw Outage() }
}

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

/// A repository that returns when a test tells it to.
actor SuspendedRepository: Repository {
    private var question: CheckedContinuation<[Product], any Error>?
    private var listener: CheckedContinuation<Void, Never>?

    func get() async throws -> [Product] {
        try await withCheckedThrowingContinuation { continuation in
            question = continuation
            listener?.resume()
            listener = nil
        }
    }

    /// Returns as soon as a caller waits for the products.
    func waitUntilAsked() async {
        guard question == nil else { return }
        await withCheckedContinuation { listener = $0 }
    }

    func answer(with result: Result<[Product], any Error>) {
        question?.resume(with: result)
        question = nil
    }
}
