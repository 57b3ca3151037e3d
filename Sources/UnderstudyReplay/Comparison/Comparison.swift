package import BusinessLogic
import UnderstudySessions

/// Searches for what users can notice of a change: the shortest sequences of events after which two versions of a program differ.
///
/// It sends the same events to both, breadth first, from the state of a new session, and stops where no state is new. For each page, it
/// covers the page's states together with the session's values and user, because no controller can read another page's state. Time and
/// the results of collaborators are inputs.
package final class Comparison {
    /// A page may have any number of states.
    package struct Limits {
        /// The maximum number of events in a row.
        package var depth = 12
        /// The maximum number of pairs of states of each page.
        package var pairs = 10_000
        /// `nil` for any time.
        package var duration: Duration?

        package init() {}
    }

    struct Pair {
        let old: Value
        let new: Value
        /// In milliseconds since 1970.
        let clock: Int
        /// The steps from the start, and what the old version gives for them, as in a recording.
        var steps: [ComparedStep] = []
        var events: [Value.Object] = []
        /// `nil` for a new session.
        var firstUser: Value?
        var updates: [StepOutcome.PendingStep] = []
        /// In milliseconds from now; `nil` if neither has a timer.
        var horizon: Int?
        /// What later events depend on in both, with times relative to the clock.
        var outlines: [SessionOutline] = []
        /// The event after which the states differ; `nil` if they are equal.
        var origin: String?

        var context: [UInt8] { outlines.flatMap { $0.context.json } }
        var user: Value? { old["user"] }
    }

    /// The clock of a new session, in milliseconds since 1970.
    package static let start = Int(Timestamp.ofTests.milliseconds)
    private static let maximumResults = 8

    private let old: any SteppedProgram
    private let new: any SteppedProgram
    private let limits: Limits
    /// With whom the search starts once more if no event logs a user in; `nil` to start without a user only.
    private let user: User?
    package var onProgress: (ComparisonReport) -> Void = { _ in }
    private var pages: [ComparedPage] = []
    var report = ComparisonReport()
    private(set) var pairs: [Pair] = []
    /// The pairs to search, with the page whose events are sent, by the number of events before.
    private var open: [[(pair: Int, page: Int)]] = []
    /// For each page, the pairs of states that were found.
    private var known: [Set<[UInt8]>] = []
    /// Steps that change the session's values or its user, by the values and the user before.
    private var crossings: [[UInt8]: Crossings] = [:]
    /// The steps of ``crossings`` that are not tried yet in the pairs that were searched before.
    private var newCrossings: [(step: ComparedStep, context: [UInt8])] = []
    /// The number of events before the pairs that are searched now.
    private var currentDepth = 0
    /// The position in ``open`` of the next pair with that number.
    private var next = 0
    private var end: ContinuousClock.Instant?
    private var hasUser = false
    /// The pages whose events have changed the session's values or its user.
    private var setters: Set<String> = []

    private struct TimeIsUp: Error {}

    /// The steps of all pages that lead from the same values and user to others.
    private struct Crossings {
        var steps: [ComparedStep] = []
        var targets: Set<[UInt8]> = []
        var pairs: [(pair: Int, page: Int)] = []
    }

    /// The search starts once more with the user if no event logs one in, because a page may need one.
    package init(old: any SteppedProgram, new: any SteppedProgram, limits: Limits = Limits(), user: User? = nil) {
        (self.old, self.new) = (old, new)
        self.limits = limits
        self.user = user
    }

    /// The names of the pages of both versions. The lines are further inputs: events as in a recording.
    ///
    /// - Throws: what the programs throw; ``ComparisonError`` if one of them has no description.
    package func describe(adding lines: [Value.Object] = []) async throws -> [String] {
        let request: Value.Object = ["describe": true, "clock": Value(Self.start)]
        let receive = [try old.send(request), try new.send(request)]
        let descriptions = try await [receive[0](), receive[1]()]
        var pages: [ComparedPage] = []
        for (description, program) in zip(descriptions, ["the old program", "the new program"]) {
            let described = description["pages"]?.array
            guard let described, !described.isEmpty else {
                let failure = description["error"] ?? description["stopped"]
                let reason = failure?.string ?? (described == nil ? "its output has no pages" : "it has no pages")
                throw ComparisonError(
                    description: "\(program) does not describe its pages: \(reason). It must be a program of Understudy"
                        + " whose command 'step' knows 'describe'"
                )
            }
            for page in described.compactMap(ComparedPage.init) {
                if let index = pages.firstIndex(where: { $0.name == page.name }) {
                    pages[index].add(page)
                } else {
                    pages.append(page)
                }
            }
        }
        for line in lines {
            guard let index = pages.firstIndex(where: { $0.name == line["page"]?.string }) else { continue }
            pages[index].add(line)
        }
        self.pages = pages
        return pages.map(\.name)
    }

    /// `nil` if a version gets the added event.
    package func reasonToIgnore(_ line: Value.Object) -> String? {
        guard let page = pages.first(where: { $0.name == line["page"]?.string }) else {
            return "has the page '\(line["page"]?.string ?? "")', which neither program has"
        }
        guard let event = line["event"]?.string, page.events.contains(where: { $0.name == event }) else {
            return "has no 'event', or one that the page '\(page.name)' does not have in either program"
        }
        return line["values"]?.object == nil ? "has no object 'values'" : nil
    }

    /// Searches until no state is new, or a limit is reached. Compares all pages if `wanted` is `nil`. Throws as ``describe(adding:)``.
    package func run(_ wanted: Set<String>? = nil) async throws -> ComparisonReport {
        if pages.isEmpty { _ = try await describe() }
        if let wanted { pages.removeAll { !wanted.contains($0.name) } }
        report.pages = pages.map {
            ComparisonReport.Page(name: $0.name, events: $0.events.count, inputs: $0.inputCount)
        }
        known = pages.map { _ in [] }
        end = limits.duration.map { .now + $0 }
        do {
            visit(Pair(old: .null, new: .null, clock: Self.start))
            try await searchOpenPairs()
            visitWithUser()
            try await searchOpenPairs()
        } catch is TimeIsUp {
            visitWithUser()
            for (_, page) in open[currentDepth].dropFirst(next) + open.dropFirst(currentDepth + 1).joined() {
                leaveUntried(.time, of: page)
            }
        }
        finishReport()
        return report
    }

    private func searchOpenPairs() async throws {
        while currentDepth < open.count {
            while next < open[currentDepth].count {
                let (pair, page) = open[currentDepth][next]
                try await searchFrom(pair, page)
                try await crossEarlierPairs()
                next += 1
            }
            (open[currentDepth], next) = ([], 0)
            currentDepth += 1
        }
    }

    /// Starts once more with a user, unless an event has logged one in.
    private func visitWithUser() {
        guard let user, !hasUser else { return }
        let state = StepOutcome(["state": ["user": user.stored, "values": [:], "pages": []]])
        guard var pair = Pair(after: Outcome(old: state, new: state, clock: Self.start)) else { return }
        pair.firstUser = user.stored
        visit(pair)
    }

    /// Adds what no version has given, and what pages that are not closed can still set for the others.
    func leaveUntried(_ part: ComparisonReport.Untried, of page: Int) {
        report.pages[page].untried[part, default: 0] += 1
    }

    private func finishReport() {
        let open = report.pages.filter { setters.contains($0.name) && !$0.untried.isEmpty }
        for index in pages.indices {
            let others = open.map(\.name).filter { $0 != pages[index].name }
            if !others.isEmpty { report.pages[index].untried[.values(pages: others.joined(separator: ", "))] = 1 }
            report.pages[index].unreached = pages[index].outcomes.subtracting(report.pages[index].reached).sorted()
        }
    }

    // MARK: Steps

    /// Runs a step in both versions at once.
    func outcome(of step: ComparedStep, in pair: Int) async throws -> Outcome {
        if let end, ContinuousClock.now >= end { throw TimeIsUp() }
        let (pair, clock) = (pairs[pair], pairs[pair].clock.addingSaturated(step.wait))
        report.steps += 1
        onProgress(report)
        let receiveOld = try old.send(step.request(from: pair.old, at: clock))
        let receiveNew = try new.send(step.request(from: pair.new, at: clock))
        let outcome = StepOutcome(try await receiveOld())
        return Outcome(old: outcome, new: StepOutcome(try await receiveNew()), clock: clock)
    }

    // MARK: States

    /// Adds a pair to search, for each page for which its states are new.
    private func visit(_ pair: Pair) {
        if pair.user != nil { hasUser = true }
        let context = pair.context
        var number: Int?
        for index in pages.indices {
            let name = pages[index].name
            let states = pair.outlines.flatMap { ($0.pages[name] ?? .null).json }
            let updates = pair.updates.filter { $0.page == name }.map { update -> Value in
                [.string(update.event), update.due.map { Value($0.subtractingSaturated(pair.clock)) } ?? .null]
            }
            // If a timer is due, only it can run, so that the same states without it are others.
            let isDue: [UInt8] = [pair.horizon == 0 ? 1 : 0]
            let key = context + states + Value.array(updates).json + isDue
            guard !known[index].contains(key) else { continue }
            if known[index].count >= limits.pairs {
                leaveUntried(.pairs, of: index)
                continue
            }
            known[index].insert(key)
            report.pages[index].pairs = known[index].count
            if pair.steps.count >= limits.depth {
                leaveUntried(.depth, of: index)
                continue
            }
            report.pages[index].depth = max(report.pages[index].depth, pair.steps.count)
            if number == nil {
                pairs.append(pair)
                number = pairs.count - 1
            }
            // A pair after a crossing can have fewer events before it than those that are searched now.
            let depth = max(pair.steps.count, currentDepth)
            while open.count <= depth { open.append([]) }
            open[depth].append((pairs.count - 1, index))
        }
    }

    // MARK: Events

    private func searchFrom(_ pair: Int, _ page: Int) async throws {
        let name = pages[page].name
        let horizon = pairs[pair].horizon
        for update in pairs[pair].updates where update.page == name {
            let wait = update.due.map { max(0, $0.subtractingSaturated(pairs[pair].clock)) } ?? 0
            // Timers run in the order of their times.
            if wait > horizon ?? .max { continue }
            try await search(pair, page, [ComparedStep(page: name, event: update.event, values: nil, wait: wait)])
        }
        // Before an event, a service runs the updates that are due.
        if horizon == 0 { return }
        for event in pages[page].events {
            let steps = event.inputs.map { ComparedStep(page: name, event: event.name, values: $0) }
            try await search(pair, page, steps)
        }
        let context = pairs[pair].context
        crossings[context, default: Crossings()].pairs.append((pair, page))
        for step in crossings[context]?.steps ?? [] { try await cross(step, in: pair, page) }
    }

    private func crossEarlierPairs() async throws {
        while let (step, context) = newCrossings.popLast() {
            for (pair, page) in crossings[context]?.pairs ?? [] { try await cross(step, in: pair, page) }
        }
    }

    /// Changes the session's values and user by an event of another page, so that the page's state is met with those.
    private func cross(_ step: ComparedStep, in pair: Int, _ page: Int) async throws {
        guard step.page != pages[page].name else { return }
        var step = step
        if step.values == nil {
            // Another session may have no such update.
            let updates = pairs[pair].updates.filter { $0.page == step.page && $0.event == step.event }
            guard let update = updates.first else { return }
            step.wait = max(0, (update.due ?? 0).subtractingSaturated(pairs[pair].clock))
        } else if let horizon = pairs[pair].horizon, step.wait >= horizon {
            leaveUntried(.combinations, of: page)
            return
        }
        let outcome = try await outcome(of: step, in: pair)
        guard outcome.old.missing == nil, outcome.new.missing == nil else {
            leaveUntried(.combinations, of: page)
            return
        }
        follow(outcome, of: step, in: pair)
    }

    /// Runs steps of one event at once, and then after each duration that makes a difference.
    ///
    /// It looks for these durations once for each kind of outcome, because they follow from the state rather than from the values.
    private func search(_ pair: Int, _ page: Int, _ steps: [ComparedStep]) async throws {
        var kinds: Set<String> = []
        var thresholds: Set<Int> = []
        for step in steps {
            var outcomes: [(step: ComparedStep, outcome: Outcome)] = []
            try await search(pair, page, step, &outcomes)
            for (step, outcome) in outcomes where outcome.old.readsClock || outcome.new.readsClock {
                guard kinds.insert(outcome.kind).inserted else { continue }
                try await thresholds.formUnion(self.thresholds(outcome, of: step, in: pair, page))
            }
        }
        for seconds in thresholds.sorted() {
            var outcomes: [(step: ComparedStep, outcome: Outcome)] = []
            for step in steps { try await search(pair, page, step.later(by: seconds), &outcomes) }
        }
    }

    /// Runs a step with all results of its collaborators. `outcomes` receives the steps that need no further result, and what they give. Returns
    /// whether a version accepts the results that the step has.
    @discardableResult
    private func search(
        _ pair: Int,
        _ page: Int,
        _ step: ComparedStep,
        _ outcomes: inout [(step: ComparedStep, outcome: Outcome)]
    ) async throws -> Bool {
        let outcome = try await outcome(of: step, in: pair)
        if outcome.old.invalid != nil, outcome.new.invalid != nil { return false }
        if let collaborator = outcome.old.missing ?? outcome.new.missing {
            guard step.results.count < Self.maximumResults else {
                leaveUntried(.calls(collaborator), of: page)
                return true
            }
            var accepted: [Value] = []
            for result in pages[page].candidates(of: collaborator) {
                if try await search(pair, page, step.with(result), &outcomes) { accepted.append(result) }
            }
            if !pages[page].areSufficient(accepted, of: collaborator) { leaveUntried(.results(collaborator), of: page) }
        } else if let collaborator = outcome.old.invalid ?? outcome.new.invalid {
            // No result can be given to both.
            leaveUntried(.types(collaborator), of: page)
        } else {
            try await compare(outcome, of: step, in: pair, page)
            outcomes.append((step, outcome))
        }
        return true
    }

    private func compare(_ outcome: Outcome, of step: ComparedStep, in pair: Int, _ page: Int) async throws {
        if let reason = outcome.old.stopReason, outcome.new.stopReason != nil {
            // Nothing was compared.
            leaveUntried(.stopped(reason), of: page)
            return
        }
        for response in [outcome.old.response, outcome.new.response] {
            report.pages[page].reached.formUnion(
                PageOutcome.given(by: response, event: step.event, page: pages[page].name)
            )
        }
        let differences = outcome.old.differences(from: outcome.new, at: outcome.clock)
        // What the new version gives in a session that the old one has saved.
        var continued: [ResponseDifference] = []
        if pairs[pair].old != pairs[pair].new, step.wait == 0 || !differences.isEmpty {
            continued = try await continuedDifferences(outcome, of: step, in: pair, page)
        }
        if !differences.isEmpty {
            // If the new version gives the same from the same state, the event that has led to another state is the cause.
            let origin = continued.isEmpty ? pairs[pair].origin : nil
            note(differences, of: step, outcome, in: pair, page, origin: origin)
        }
        // The events after another response are compared with nothing. Another timer may show only later what it means.
        guard differences.allSatisfy(\.isInUpdates) else { return }
        if step.wait == 0, !continued.isEmpty {
            note(continued.map(\.inSavedSession), of: step, outcome, in: pair, page)
        }
        follow(outcome, of: step, in: pair)
    }

    /// What differs in what the new version gives in a session that the old one has saved.
    private func continuedDifferences(
        _ outcome: Outcome,
        of step: ComparedStep,
        in pair: Int,
        _ page: Int
    ) async throws -> [ResponseDifference] {
        report.steps += 1
        let continued = StepOutcome(try await new.send(step.request(from: pairs[pair].old, at: outcome.clock))())
        if let collaborator = continued.missing ?? continued.invalid {
            leaveUntried(.savedSessions(collaborator), of: page)
            return []
        }
        return outcome.old.differences(from: continued, at: outcome.clock)
    }

    private func note(
        _ differences: [ResponseDifference],
        of step: ComparedStep,
        _ outcome: Outcome,
        in pair: Int,
        _ page: Int,
        origin: String? = nil
    ) {
        let causes =
            origin.map { [$0] }
            ?? differences.map { difference in
                difference.isInUpdates ? step.origin : "\(step.page): \(difference.causeInAnySession)"
            }
        let difference = ComparisonReport.Difference(
            page: step.page,
            event: step.event,
            difference: differences[0],
            steps: pairs[pair].steps + [step],
            recordedEvents: pairs[pair].events + [step.recorded(outcome.old, at: outcome.clock)],
            user: pairs[pair].firstUser,
            identity: causes[0]
        )
        report.unite(causes)
        let known = report.pages[page].differences.firstIndex {
            $0.event == difference.event && $0.cause == difference.cause
        }
        if let known { return report.pages[page].differences[known].count += 1 }
        report.pages[page].differences.append(difference)
    }

    private func follow(_ outcome: Outcome, of step: ComparedStep, in pair: Int) {
        guard var next = Pair(after: outcome),
            outcome.old.differences(from: outcome.new, at: outcome.clock).allSatisfy(\.isInUpdates)
        else { return }
        let last = pairs[pair]
        next.steps = last.steps + [step]
        next.events = last.events + [step.recorded(outcome.old, at: outcome.clock)]
        next.firstUser = last.firstUser
        next.origin = next.old == next.new ? nil : last.origin ?? step.origin
        visit(next)
        let (before, after) = (last.context, next.context)
        if before != after { setters.insert(step.page) }
        if before != after, crossings[before, default: Crossings()].targets.insert(after).inserted {
            crossings[before]?.steps.append(step)
            newCrossings.append((step, before))
        }
    }
}

extension ComparedStep {
    fileprivate var origin: String { "\(page) \(event)" }
}
