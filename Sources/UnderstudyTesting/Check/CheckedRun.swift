#if canImport(Understudy)
    internal import BusinessLogic
    internal import Understudy
    internal import UnderstudyReplay
    internal import UnderstudySessions

    /// What a check does between two situations.
    enum CheckedStep: Equatable {
        case event(session: Int, page: String, Event, Value.Object)
        case advance(Duration)

        func source(sessions: Int) -> String {
            switch self {
            case .advance(let duration): "try await screens.advance(by: .milliseconds(\(duration.wholeMilliseconds)))"
            case .event(let session, let page, let event, let values):
                "try await screens\(sessions == 1 ? "" : "\(session + 1)")[\"\(page)\"].send(\"\(event.name)\"\(values.isEmpty ? "" : ", \(values.literal)"))"
            }
        }
    }

    /// Sessions that run events in a given order, with the collaborators of the test.
    final class CheckedRun {
        private let subject: CheckedPages
        private let sessions: [UnderstudySessions.Session]
        private var commands: [[Command]]

        /// How many updates may follow each other, so that controllers that wake each other do not run for ever.
        private static let maximumRounds = 32

        init(_ subject: CheckedPages, sessions count: Int) {
            self.subject = subject
            sessions = (0..<count).map { number in
                let session = UnderstudySessions.Session(id: SessionToken.random().id, now: subject.clock.now)
                session.values.restoreKey("session-\(number + 1)")
                return session
            }
            commands = Array(repeating: [], count: count)
        }

        /// Runs a step, and then the updates that are due in each session, as for clients that wait for changes.
        func run(_ step: CheckedStep) async {
            commands = Array(repeating: [], count: sessions.count)
            switch step {
            case .advance(let duration): subject.clock.advance(by: duration)
            case .event(let session, let page, let event, let values):
                guard let page = subject.pages.first(where: { $0.name == page }),
                    let index = try? page.declarationIndex(of: event)
                else { return }
                await run(index, of: page, values, in: session)
            }
            for _ in 0..<Self.maximumRounds {
                var hasRun = false
                for session in sessions.indices where await runUpdates(in: session) { hasRun = true }
                if !hasRun { return }
            }
        }

        /// An event that fails changes nothing.
        private func run(_ index: Int, of page: Page, _ values: Value.Object, in number: Int) async {
            guard let transaction = try? sessions[number].beginEvent(index, of: page, values: values) else { return }
            transaction.startUpdates(subject.topics)
            do {
                try await transaction.screen.controller.handleEvent(at: index) {}
                commands[number] += transaction.commands.map(\.command)
                transaction.commit()
            } catch {
                transaction.rollBack()
            }
        }

        private func runUpdates(in number: Int) async -> Bool {
            var hasRun = false
            for screen in sessions[number].screensWithUpdates {
                guard let due = screen.dueUpdates(subject.topics, subject.clock) else { continue }
                for index in due.indices { await run(index, of: screen.page, [:], in: number) }
                screen.updates?.progress.finish(due)
                hasRun = true
            }
            return hasRun
        }

        var durationUntilTimer: Duration? {
            sessions.compactMap { $0.durationUntilTimer(subject.clock) }.filter { $0 > .zero }.min()
        }

        /// What decides what later events give, and what properties can see.
        var key: [UInt8] {
            let now = Int(subject.clock.now.milliseconds)
            let states = sessions.map { session -> Value in
                let outline = SessionOutline((try? session.outline) ?? .null, at: now).value
                return [outline, .array(session.screens.map { .object($0.recorder.rendered) })]
            }
            return Value.array(states + [subject.stored(true).relative(to: now)]).sorted.json
        }

        var situation: Situation {
            let views = sessions.indices.map { index in
                let screens = sessions[index].screens.map { ($0.page.name, $0.recorder.rendered) }
                return Situation.Session(
                    user: sessions[index].identity.user,
                    commands: commands[index],
                    screens: Dictionary(screens) { $1 }
                )
            }
            return Situation(sessions: views, stored: subject.stored(false), now: subject.clock.now)
        }
    }

    extension Value {
        fileprivate var literal: String {
            switch self {
            case .null: "nil"
            case .boolean(let boolean): "\(boolean)"
            case .number(.integer(let integer)): "\(integer)"
            case .number(.double(let double)): "\(double)"
            case .string(let string): string.debugDescription
            case .array(let elements): "[\(elements.map(\.literal).joined(separator: ", "))]"
            case .object(let object): object.literal
            }
        }
    }

    extension Value.Object {
        fileprivate var literal: String {
            isEmpty ? "[:]" : "[\(map { "\($0.name.debugDescription): \($0.value.literal)" }.joined(separator: ", "))]"
        }
    }
#endif
