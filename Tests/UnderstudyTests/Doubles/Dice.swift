import TestSupport
import Testing
import Understudy

/// An embedder's collaborator with each kind of member: synchronous, asynchronous, and without a result.
protocol ScoreKeeping: Sendable {
    var sides: Int { get }
    func best() async throws -> Score?
    func keep(_ score: Score) async throws
}

struct Score: Codable, Equatable {
    let points: Int
    let name: String
}

/// Records the results of an embedder's scores.
struct RecordedScores: ScoreKeeping {
    let scores: any ScoreKeeping
    let results: PageContext.Results

    var sides: Int { results.from("sides", else: 6) { scores.sides } }

    func best() async throws -> Score? {
        try await results.from("best") { try await scores.best() }
    }

    func keep(_ score: Score) async throws {
        try await results.from("keep") { try await scores.keep(score) }
    }
}

/// Keeps the best score in memory.
final class MemoryScores: ScoreKeeping {
    private let score = LockedValue<Score?>(nil)
    private let failure: (any Error)?
    let sides: Int

    init(sides: Int = 6, failure: (any Error)? = nil) {
        self.sides = sides
        self.failure = failure
    }

    func best() async throws -> Score? {
        if let failure { throw failure }
        return score.value
    }

    func keep(_ score: Score) async throws { self.score.value = score }
}

/// Scores and a random source that must not be called.
struct ForbiddenCollaborator: ScoreKeeping, RandomNumberGenerator {
    /// An embedder's own error.
    struct WasCalled: Error {}

    var sides: Int {
        Issue.record("sides was called")
        return 6
    }

    func best() async throws -> Score? {
        Issue.record("best() was called")
        throw WasCalled()
    }

    func keep(_ score: Score) async throws {
        Issue.record("keep(_:) was called")
        throw WasCalled()
    }

    func next() -> UInt64 {
        Issue.record("next() was called")
        return .max
    }
}

/// A controller that throws dice, and reports a new best score.
final class DiceController: StatelessController, BusinessLogicController {
    static let points = Output<Int>("points")
    static let winners = Destination<String?>.ofClient("winners", Field<String?>("beaten"))

    static let events: EventTable<DiceController> = [
        .default("thrown", reads: Field<String>("name"), gives: [.renders(points), .goes(to: winners)]) {
            try await $0.throwDice(name: $1)
        }
    ]

    private let scores: any ScoreKeeping
    private var random: any RandomNumberGenerator & Sendable
    private let count: Int
    private let beats: @Sendable (Int, Int) -> Bool

    init(
        _ scores: any ScoreKeeping,
        random: any RandomNumberGenerator & Sendable,
        count: Int,
        beats: @escaping @Sendable (Int, Int) -> Bool
    ) {
        self.scores = scores
        self.random = random
        self.count = count
        self.beats = beats
    }

    static func page(
        _ scores: any ScoreKeeping,
        random: any RandomNumberGenerator & Sendable,
        count: Int = 1,
        beats: @escaping @Sendable (Int, Int) -> Bool = { $0 > $1 }
    ) -> Page {
        Page("dice") {
            let scores = RecordedScores(scores: scores, results: $0.results)
            return DiceController(scores, random: $0.recorded(random), count: count, beats: beats)
        }
    }

    private func throwDice(name: String) async throws {
        var points = 0
        for _ in 0..<count { points += Int.random(in: 1...scores.sides, using: &random) }
        render(Self.points, points)
        let best = try await scores.best()
        guard beats(points, best?.points ?? 0) else { return }
        try await scores.keep(Score(points: points, name: name))
        goToPage(Self.winners, best?.name)
    }
}
