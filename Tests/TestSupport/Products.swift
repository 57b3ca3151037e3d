/// A repository that returns when a test resumes it.
package actor SuspendedRepository: Repository {
    let questions = Tally()
    var waiting: [CheckedContinuation<[Product], any Error>] = []

    package init() {}

    /// How often it has been called.
    package var count: Int { questions.count }

    package func get() async throws -> [Product] {
        try await withCheckedThrowingContinuation { continuation in
            waiting.append(continuation)
            questions.add()
        }
    }

    /// Returns as soon as a caller waits for the products.
    package func waitUntilAsked() async { while waiting.isEmpty { await questions.reaches(questions.count + 1) } }

    /// Waits for a call, and then returns the result to all waiting callers.
    package func answerNext(with result: Result<[Product], any Error>) async {
        await waitUntilAsked()
        answer(with: result)
    }

    /// Returns the result to all waiting callers.
    package func answer(with result: Result<[Product], any Error>) {
        for question in waiting { question.resume(with: result) }
        waiting = []
    }
}

/// A repository that cannot be reached.
package struct FailingRepository: Repository {
    package init() {}

    package func get() throws -> [Product] { throw Outage() }
}

extension Product {
    package static let car = Product(name: "Car", description: "A beautiful car", image: "car")
    package static let book = Product(name: "Book", description: "", image: "book")
}
