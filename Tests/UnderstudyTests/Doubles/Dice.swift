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

    func best() async throws -> Score? { try await results.from("best") { try await scores.best() } }

    func keep(_ score: Score) async throws { try await results.from("keep") { try await scores.keep(score) } }
}

/// Keeps the best score in memory.
final class MemoryScores: ScoreKeeping {
    let score = LockedValue<Score?>(nil)
    let failure: (any Error)?
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
struct DiceController: Script {
    static let points = Output<Int>("points")
    static let winners = Destination<String?>.ofClient("winners", Field<String?>("beaten"))

    static let events: Events = [
        .default("thrown", reads: Field<String>("name"), gives: [.renders(points), .goes(to: winners)]) { game, name in
            var random = game.random
            var sum = 0
            for _ in 0..<game.count { sum += Int.random(in: 1...game.scores.sides, using: &random) }
            game.render(points, sum)
            let best = try await game.scores.best()
            guard game.beats(sum, best?.points ?? 0) else { return }
            try await game.scores.keep(Score(points: sum, name: name))
            game.goToPage(winners, best?.name)
        }
    ]

    let scores: any ScoreKeeping
    let random: any RandomNumberGenerator & Sendable
    let count: Int
    let beats: @Sendable (Int, Int) -> Bool

    static func page(
        _ scores: any ScoreKeeping,
        random: any RandomNumberGenerator & Sendable,
        count: Int = 1,
        beats: @escaping @Sendable (Int, Int) -> Bool = { $0 > $1 }
    ) -> Page {
        Page("dice") {
            let scores = RecordedScores(scores: scores, results: $0.results)
            return Scripted(DiceController(scores: scores, random: $0.recorded(random), count: count, beats: beats))
        }
    }
}
