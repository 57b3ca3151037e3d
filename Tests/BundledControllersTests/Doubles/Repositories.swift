import BundledControllers
import BusinessLogic
import TestSupport

/// A repository that cannot be reached.
struct FailingRepository: Repository {
    func get() throws -> [Product] { throw Outage() }
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
