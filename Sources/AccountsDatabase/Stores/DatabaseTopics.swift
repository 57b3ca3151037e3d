import Accounts
package import BusinessLogic
import SessionStorage
import Synchronization

/// The topics of all processes that use a database: publishes them in the table `publication`, and reads there what other processes publish.
///
/// During an event whose changes are committed together, the commit publishes a topic. An event that is rolled back publishes nothing.
package final class DatabaseTopics: TopicPublisher {
    private struct State {
        /// The topics to write outside of an event.
        var waiting: Set<Topic> = []
        var isWriting = false
        /// The tokens of publications that this process has published before it has read them in the table.
        var published: Set<Int64> = []
    }

    private struct Reading {
        var position: Publications.Position?
        /// Whether publications may have been missed.
        var isIncomplete = true
        /// The number of a publication, and when it was the newest one.
        var mark: (time: Timestamp, number: Int)?
    }

    private let database: any SQLDatabase
    private let topics: Topics
    private let clock: any WallClock
    private let state = Mutex(State())
    // Only one task reads. The lock makes it visible to the compiler.
    private let reading = Mutex(Reading())

    /// How long a publication stays in the table at least, and at most twice as long: much longer than a transaction takes, and than a process
    /// waits before it reads again.
    package static let lifetime: Duration = .seconds(300)
    /// The time after a failure.
    private static let retryInterval: Duration = .milliseconds(500)
    private static let maximumTokens = 10_000
    /// How many topics wait at most while the database cannot be written. A client may choose their keys.
    private static let maximumWaiting = 10_000

    /// The topics and the clock are those of this process.
    package init(_ database: any SQLDatabase, _ topics: Topics, clock: any WallClock) {
        self.database = database
        self.topics = topics
        self.clock = clock
    }

    // MARK: Publishing

    package func publish(_ topic: Topic) {
        guard let work = database.unitOfWork else {
            topics.publish(topic)
            write(topic)
            return
        }
        let publications = publications(of: [topic])
        work.add { try $0.batch(publications.steps) }
        UnitOfWork.afterCommit(publications.finish)
    }

    /// What writes the publications of topics in a transaction, and what to call after its commit.
    func publications(of topics: [Topic]) -> (steps: [SQLStep], finish: @Sendable () -> Void) {
        let publications = topics.map { Publication($0) }
        return (
            publications.map(PublicationTable.insert),
            { [self] in
                remember(publications)
                for topic in topics { self.topics.publish(topic) }
            }
        )
    }

    private func remember(_ publications: [Publication]) {
        state.withLock { state in
            // If no other process writes to a file, they are never read.
            if state.published.count + publications.count > Self.maximumTokens { state.published = [] }
            state.published.formUnion(publications.map(\.token))
        }
    }

    /// Writes a topic in a task of its own, which ends when all topics are written.
    private func write(_ topic: Topic) {
        let starts = state.withLock { state in
            if state.waiting.count >= Self.maximumWaiting { state.waiting = [.everything] }
            state.waiting.insert(topic)
            return !exchange(&state.isWriting, with: true)
        }
        if starts { Task { await writeWaiting() } }
    }

    private func writeWaiting() async {
        while let waiting = takeWaiting() {
            let publications = waiting.map { Publication($0) }
            remember(publications)
            do {
                try await database.write(of: .topics, publications.map(PublicationTable.insert))
            } catch {
                // The database has reported the error.
                state.withLock { $0.waiting.formUnion(waiting) }
                try? await Task.sleep(for: Self.retryInterval)
            }
        }
    }

    private func takeWaiting() -> Set<Topic>? {
        state.withLock { state in
            guard !state.waiting.isEmpty else {
                state.isWriting = false
                return nil
            }
            return exchange(&state.waiting, with: [])
        }
    }

    // MARK: Following

    /// Publishes in this process what other processes publish, until the task is cancelled. Only one task may call it.
    package func follow() async throws {
        while true {
            let isRead = try await read()
            try await Task.sleep(for: isRead ? type(of: database).publicationInterval : Self.retryInterval)
        }
    }

    /// Publishes in this process what other processes have published since the last call; everything, if something may have been missed. The
    /// first call publishes everything. ``follow()`` calls it again and again. Returns `false` if the database cannot be read; throws
    /// `CancellationError`.
    @discardableResult
    package func read() async throws -> Bool {
        do {
            let new = try await database.publications(after: reading.withLock(\.position))
            let isIncomplete = reading.withLock { reading in
                defer { (reading.position, reading.isIncomplete) = (new.position, false) }
                return reading.isIncomplete || !new.isComplete
            }
            publish(new.publications, isIncomplete: isIncomplete)
            try await deleteOld(newest: new.position.number)
            return true
        } catch let error as CancellationError {
            throw error
        } catch {
            let replacement = type(of: database).collaboratorError(for: error, .topics)
            // If too many calls wait, the next one reads what this one has not.
            if case .overloaded = replacement ?? error as? CollaboratorError { return false }
            reading.withLock { $0.isIncomplete = true }
            return false
        }
    }

    private func publish(_ publications: [Publication], isIncomplete: Bool) {
        let others =
            publications.isEmpty
            ? []
            : state.withLock { state in
                publications.filter { state.published.remove($0.token) == nil }
            }
        if isIncomplete || others.contains(where: { $0.topic == .everything }) { return topics.publishAll() }
        for topic in Set(others.map(\.topic)) { topics.publish(topic) }
    }

    /// Every ``lifetime``, deletes the publications that were there at the deletion before.
    private func deleteOld(newest: Int) async throws {
        let now = clock.steady
        let number = reading.withLock { reading -> Int? in
            if let mark = reading.mark, now < mark.time + Self.lifetime { return nil }
            return exchange(&reading.mark, with: (now, newest))?.number
        }
        guard let number else { return }
        try await database.write(of: .topics, [PublicationTable.delete(number)])
    }
}

extension Topic {
    /// In the table, all topics: the row stands for more than can be written.
    fileprivate static let everything = Topic("")
}

extension SQLDatabase {
    /// What has been published by transactions that have been committed since a position; `nil` to learn the present one. Throws the
    /// database's own errors, and does not report them, because a process calls this many times a second.
    package func publications(after position: Publications.Position?) async throws -> Publications {
        let query = PublicationTable.select(position?.transactions, position?.number)
        return try await withReader(deadline: nil) {
            try PublicationTable.publications($0.execute(query), after: position)
        }
    }
}
