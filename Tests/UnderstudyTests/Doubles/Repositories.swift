import BundledControllers
import BusinessLogic

/// A repository that returns when a test resumes it.
actor SuspendedRepository: Repository {
    private var questions: [CheckedContinuation<[Product], any Error>] = []
    private var listener: CheckedContinuation<Void, Never>?
    /// How often it has been called.
    private(set) var count = 0

    func get() async throws -> [Product] {
        count += 1
        return try await withCheckedThrowingContinuation { continuation in
            questions.append(continuation)
            listener?.resume()
            listener = nil
        }
    }

    /// Returns as soon as a caller waits for the products.
    func waitUntilAsked() async {
        guard questions.isEmpty else { return }
        await withCheckedContinuation { listener = $0 }
    }

    /// Waits for a call, and then returns the result to all waiting callers.
    func answerNext(with result: Result<[Product], any Error>) async {
        await waitUntilAsked()
        answer(with: result)
    }

    /// Returns the result to all waiting callers.
    func answer(with result: Result<[Product], any Error>) {
        for question in questions { question.resume(with: result) }
        questions = []
    }
}

extension Product {
    static let car = Product(name: "Car", description: "A beautiful car", image: "car")
    static let book = Product(name: "Book", description: "", image: "book")
}
