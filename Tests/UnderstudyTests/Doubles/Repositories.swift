import BundledControllers
import BusinessLogic

/// A repository that cannot be reached.
struct FailingRepository: Repository {
    func get() throws -> [Product] { throw Outage() }
}

/// A repository that answers when a test tells it to, and not before.
actor SuspendedRepository: Repository {
    private var questions: [CheckedContinuation<[Product], any Error>] = []
    private var listener: CheckedContinuation<Void, Never>?
    /// How often it has been asked.
    private(set) var count = 0

    func get() async throws -> [Product] {
        count += 1
        return try await withCheckedThrowingContinuation { continuation in
            questions.append(continuation)
            listener?.resume()
            listener = nil
        }
    }

    /// Returns as soon as somebody waits for an answer.
    func waitUntilAsked() async {
        guard questions.isEmpty else { return }
        await withCheckedContinuation { listener = $0 }
    }

    /// Answers all who wait.
    func answer(with result: Result<[Product], any Error>) {
        for question in questions { question.resume(with: result) }
        questions = []
    }
}

extension Product {
    static let car = Product(name: "Car", description: "A beautiful car", image: "car")
    static let book = Product(name: "Book", description: "", image: "book")
}
