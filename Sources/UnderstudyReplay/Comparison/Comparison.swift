package import BusinessLogic

/// Searches for what users can notice of a change: the shortest sequences of events after which two versions of a program differ.
///
/// It sends the same events to both, breadth first, from the state of a new session, and stops where no state is new. For each page, it
/// covers the page's states together with the session's values and user, because no controller can read another page's state. Time and
/// the results of collaborators are inputs.
package final class Comparison {
    /// Limits on the search, because a page may have any number of states.
    package struct Limits {
        /// The maximum number of events in a row.
        package var depth = 12
        /// The maximum number of pairs of states of each page.
        package var pairs = 10_000

        package init() {}
    }

    /// Two sessions after the same events.
    struct Pair {
        let old: Value
        let new: Value
        /// In milliseconds since 1970.
        let clock: Int
        let depth: Int
        /// The updates that can run next in both.
        var updates: [StepOutcome.PendingStep] = []
        /// When the next timer of either is due, in milliseconds from now; `nil` if neither has one.
        var horizon: Int?
        /// What identifies the pair instead of its states; `nil` for the states.
        var outline: Value?
        var parent: Parent?
    }

    /// The pair before, the step from there, and what the old version gives for it, as in a recording.
    struct Parent {
        let pair: Int
        let step: ComparedStep
        let recorded: Value.Object
    }

    /// A step of the search.
    struct Found {
        let step: ComparedStep
        /// What the old version gives.
        let outcome: StepOutcome
        /// ``StepOutcome/outline`` of the step before.
        let source: Value?
        /// The events up to this one, as a recording contains them.
        let events: () -> [Value.Object]
    }

    /// The clock of a new session: 2030-03-17T17:46:40.123Z. No other number in a state is near it by chance.
    package static let start = 1_900_000_000_123
    private static let maximumResults = 8

    private let old: any SteppedProgram
    private let new: any SteppedProgram
    private let limits: Limits
    /// Is called after each search from a pair.
    private let onProgress: (ComparisonReport) -> Void
    /// Is called with each step, before the search goes on from its states.
    var onOutcome: (Found) -> Void = { _ in }
    /// Is called if no result is known that a collaborator can return in a step.
    var onMissingResults: (_ collaborator: String, ComparedStep) -> Void = { _, _ in }
    private var pages: [ComparedPage]
    private let start: Pair
    var report = ComparisonReport()
    private(set) var pairs: [Pair] = []
    /// The pairs to search, with the page whose events are sent, by the number of events before.
    private var open: [[(pair: Int, page: Int)]] = []
    /// For each page, the pairs of states that were found.
    private var known: [Set<[UInt8]>] = []
    /// Steps that change the session's values or its user, by the values and the user before.
    private var crossings: [[UInt8]: Crossings] = [:]
    /// The results that the calls of collaborators accept.
    private var accepted: [Call: [Value]] = [:]
    /// The steps of ``crossings`` that are not tried yet in the pairs that were searched before.
    private var newCrossings: [(step: ComparedStep, context: [UInt8])] = []
    /// The number of events before the pairs that are searched now.
    private var currentDepth = 0

    /// A call of a collaborator in an event: the first one, the second one.
    private struct Call: Hashable {
        let page: Int
        let event: String
        let collaborator: String
        let number: Int
    }

    /// The steps of all pages that lead from the same values and user to others.
    private struct Crossings {
        var steps: [ComparedStep] = []
        var targets: Set<[UInt8]> = []
        /// The pairs in which they are tried.
        var pairs: [(pair: Int, page: Int)] = []
    }

    /// - Parameters:
    ///   - old: the old version.
    ///   - new: the new version. If it is the same object, each step runs once.
    ///   - limits: when to stop.
    ///   - onProgress: is called after each search from a pair of states.
    package convenience init(
        old: any SteppedProgram,
        new: any SteppedProgram,
        limits: Limits = Limits(),
        onProgress: @escaping (ComparisonReport) -> Void = { _ in }
    ) {
        let start = Pair(old: .null, new: .null, clock: Self.start, depth: 0)
        self.init(old, new, limits, [], start, onProgress)
    }

    /// A search in one version.
    ///
    /// - Parameters:
    ///   - program: the version.
    ///   - page: the page, with what is sent to it.
    ///   - start: what the step before the first one has given.
    ///   - clock: when it ran, in milliseconds since 1970.
    ///   - limits: when to stop.
    convenience init(
        of program: any SteppedProgram,
        _ page: ComparedPage,
        from start: StepOutcome,
        at clock: Int,
        limits: Limits
    ) {
        let state = start.state ?? .null
        var pair = Pair(old: state, new: state, clock: clock, depth: 0, updates: start.updates)
        pair.horizon = start.updates.compactMap(\.due).min().map { max(0, $0 - clock) }
        pair.outline = start.outline
        self.init(program, program, limits, [page], pair) { _ in }
    }

    private init(
        _ old: any SteppedProgram,
        _ new: any SteppedProgram,
        _ limits: Limits,
        _ pages: [ComparedPage],
        _ start: Pair,
        _ onProgress: @escaping (ComparisonReport) -> Void
    ) {
        self.old = old
        self.new = new
        self.limits = limits
        self.pages = pages
        self.start = start
        self.onProgress = onProgress
    }

    /// The pages of both versions, with the inputs that are sent.
    ///
    /// - Parameter lines: further inputs: events as in a recording.
    /// - Throws: what the programs throw; ``ComparisonError`` if one of them has no description.
    package func describe(adding lines: [Value.Object] = []) async throws -> [ComparedPage] {
        let request: Value.Object = ["describe": true, "clock": Value(Self.start)]
        try old.send(request)
        try new.send(request)
        let descriptions = try await [old.receive(), new.receive()]
        var pages: [ComparedPage] = []
        for (description, program) in zip(descriptions, ["the old program", "the new program"]) {
            guard let described = description["pages"]?.array else {
                let reason = description["error"] ?? description["stopped"]
                throw ComparisonError.noDescription(of: program, reason?.string)
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
        report.documents = DocumentDifference.all(in: descriptions[0], descriptions[1])
        self.pages = pages
        return pages
    }

    /// Searches until no state is new, or a limit is reached.
    ///
    /// - Parameter wanted: the names of the pages to compare; `nil` for all.
    /// - Throws: what the programs throw; ``ComparisonError`` if one of them has no description.
    package func run(_ wanted: Set<String>? = nil) async throws -> ComparisonReport {
        if pages.isEmpty { _ = try await describe() }
        if let wanted { pages.removeAll { !wanted.contains($0.name) } }
        report.pages = pages.map {
            ComparisonReport.Page(name: $0.name, events: $0.events.count, inputs: $0.inputCount)
        }
        known = pages.map { _ in [] }
        visit(start)
        while currentDepth < open.count {
            var next = 0
            while next < open[currentDepth].count {
                let (pair, page) = open[currentDepth][next]
                next += 1
                try await searchFrom(pair, page)
                try await crossEarlierPairs()
                onProgress(report)
            }
            open[currentDepth] = []
            currentDepth += 1
        }
        try await confirmDifferences()
        return report
    }

    // MARK: Steps

    func outcome(of step: ComparedStep, in pair: Int) async throws -> Outcome {
        let states = (pairs[pair].old, pairs[pair].new)
        return try await outcome(of: step, from: states, at: pairs[pair].clock + step.wait)
    }

    /// Runs a step in both versions at once.
    private func outcome(of step: ComparedStep, from states: (Value, Value), at clock: Int) async throws -> Outcome {
        report.steps += 1
        try old.send(step.request(from: states.0, at: clock))
        if old === new {
            let outcome = StepOutcome(try await old.receive())
            return Outcome(old: outcome, new: outcome, clock: clock)
        }
        try new.send(step.request(from: states.1, at: clock))
        let oldOutcome = StepOutcome(try await old.receive())
        let newOutcome = StepOutcome(try await new.receive())
        return Outcome(old: oldOutcome, new: newOutcome, clock: clock)
    }

    // MARK: States

    /// Adds a pair to search, for each page for which its states are new.
    private func visit(_ pair: Pair) {
        let outlines = [pair.old, pair.new].map { SessionOutline($0, at: pair.clock) }
        let context = outlines.flatMap { $0.context.json }
        var number: Int?
        for index in pages.indices {
            let name = pages[index].name
            let states = outlines.flatMap { ($0.pages[name] ?? .null).json }
            let updates = pair.updates.filter { $0.page == name }.map { update -> Value in
                [.string(update.event), update.due.map { Value($0 - pair.clock) } ?? .null]
            }
            // If a timer is due, only it can run, so that the same states without it are others.
            let key = pair.outline?.json ?? context + states + Value.array(updates).json + [pair.horizon == 0 ? 1 : 0]
            guard !known[index].contains(key) else { continue }
            if known[index].count >= limits.pairs {
                report.pages[index].untried[.pairs, default: 0] += 1
                continue
            }
            known[index].insert(key)
            report.pages[index].pairs = known[index].count
            if pair.depth >= limits.depth {
                report.pages[index].untried[.depth, default: 0] += 1
                continue
            }
            report.pages[index].depth = max(report.pages[index].depth, pair.depth)
            if number == nil {
                pairs.append(pair)
                number = pairs.count - 1
            }
            // A pair after a crossing can have fewer events before it than those that are searched now.
            let depth = max(pair.depth, currentDepth)
            while open.count <= depth { open.append([]) }
            open[depth].append((pairs.count - 1, index))
        }
    }

    /// The session's values and its user in a pair.
    private func context(of pair: Pair) -> [UInt8] {
        [pair.old, pair.new].flatMap { SessionOutline($0, at: pair.clock).context.json }
    }

    private func steps(to pair: Int) -> [ComparedStep] {
        var steps: [ComparedStep] = []
        var parent = pairs[pair].parent
        while let current = parent {
            steps.append(current.step)
            parent = pairs[current.pair].parent
        }
        return steps.reversed()
    }

    private func recordedEvents(to pair: Int) -> [Value.Object] {
        var events: [Value.Object] = []
        var parent = pairs[pair].parent
        while let current = parent {
            events.append(current.recorded)
            parent = pairs[current.pair].parent
        }
        return events.reversed()
    }

    // MARK: Events

    /// Sends all inputs of a page to a pair of sessions.
    private func searchFrom(_ pair: Int, _ page: Int) async throws {
        let name = pages[page].name
        let horizon = pairs[pair].horizon
        for update in pairs[pair].updates where update.page == name {
            let wait = update.due.map { max(0, $0 - pairs[pair].clock) } ?? 0
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
        let context = context(of: pairs[pair])
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
            step.wait = max(0, (update.due ?? 0) - pairs[pair].clock)
        } else if let horizon = pairs[pair].horizon, step.wait >= horizon {
            report.pages[page].untried[.combinations, default: 0] += 1
            return
        }
        let outcome = try await outcome(of: step, in: pair)
        guard outcome.old.missing == nil, outcome.new.missing == nil else {
            report.pages[page].untried[.combinations, default: 0] += 1
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
            for (step, outcome) in try await search(pair, page, step) {
                guard outcome.old.readsClock || outcome.new.readsClock else { continue }
                guard kinds.insert(outcome.kind).inserted else { continue }
                try await thresholds.formUnion(self.thresholds(outcome, of: step, in: pair, page))
            }
        }
        for seconds in thresholds.sorted() {
            for step in steps {
                var later = step
                later.wait += seconds * 1000
                _ = try await search(pair, page, later)
            }
        }
    }

    /// Runs a step with all results of its collaborators.
    ///
    /// - Returns: the steps that need no further result, and what they give.
    private func search(
        _ pair: Int,
        _ page: Int,
        _ first: ComparedStep
    ) async throws -> [(step: ComparedStep, outcome: Outcome)] {
        var outcomes: [(step: ComparedStep, outcome: Outcome)] = []
        var steps = [first]
        while let step = steps.popLast() {
            let outcome = try await outcome(of: step, in: pair)
            if let collaborator = outcome.old.missing ?? outcome.new.missing {
                guard step.results.count < Self.maximumResults else {
                    report.pages[page].untried[.calls(collaborator), default: 0] += 1
                    continue
                }
                let candidates = try await candidates(of: collaborator, for: step, in: pair, page)
                if candidates.isEmpty {
                    report.pages[page].untried[.results(collaborator), default: 0] += 1
                    onMissingResults(collaborator, step)
                }
                for result in candidates.reversed() {
                    var candidate = step
                    candidate.results.append(result)
                    steps.append(candidate)
                }
            } else if outcome.old.invalid == nil, outcome.new.invalid == nil {
                try await compare(outcome, of: step, in: pair, page)
                outcomes.append((step, outcome))
            } else if outcome.old.invalid == nil || outcome.new.invalid == nil {
                // No result can be given to both.
                let collaborator = outcome.old.invalid ?? outcome.new.invalid ?? ""
                report.pages[page].untried[.types(collaborator), default: 0] += 1
            }
        }
        return outcomes
    }

    /// The results that both versions accept as the next one of a collaborator, or one of them.
    private func candidates(
        of collaborator: String,
        for step: ComparedStep,
        in pair: Int,
        _ page: Int
    ) async throws -> [Value] {
        let earlier = step.results.count { $0.object?["from"]?.string == collaborator }
        let call = Call(page: page, event: step.event, collaborator: collaborator, number: earlier)
        // The type of a call's results hardly depends on the state.
        if let accepted = accepted[call], let first = accepted.first {
            var candidate = step
            candidate.results.append(first)
            let outcome = try await outcome(of: candidate, in: pair)
            if outcome.old.invalid == nil || outcome.new.invalid == nil { return accepted }
        }
        var results: [Value] = []
        for group in pages[page].candidates(of: collaborator) where results.isEmpty {
            for result in group {
                var candidate = step
                candidate.results.append(result)
                let outcome = try await outcome(of: candidate, in: pair)
                if outcome.old.invalid == nil || outcome.new.invalid == nil { results.append(result) }
            }
        }
        accepted[call] = results
        return results
    }

    private func compare(_ outcome: Outcome, of step: ComparedStep, in pair: Int, _ page: Int) async throws {
        onOutcome(
            Found(step: step, outcome: outcome.old, source: pairs[pair].outline) {
                self.recordedEvents(to: pair) + [step.recorded(outcome.old, at: outcome.clock)]
            }
        )
        let differences = outcome.old.differences(from: outcome.new, at: outcome.clock)
        if !differences.isEmpty { note(differences, of: step, in: pair, page) }
        // The events after another response are compared with nothing. Another timer may show only later what it means.
        guard differences.allSatisfy(\.isInUpdates) else { return }
        if step.wait == 0, pairs[pair].old != pairs[pair].new {
            try await compareContinued(outcome.old, of: step, in: pair, page)
        }
        follow(outcome, of: step, in: pair)
    }

    /// Compares what the new version gives in a session that the old one has saved.
    private func compareContinued(_ old: StepOutcome, of step: ComparedStep, in pair: Int, _ page: Int) async throws {
        try new.send(step.request(from: pairs[pair].old, at: pairs[pair].clock))
        report.steps += 1
        let continued = StepOutcome(try await new.receive())
        guard continued.missing == nil, continued.invalid == nil else { return }
        let differences = old.differences(from: continued, at: pairs[pair].clock).map { difference in
            ResponseDifference(
                part: "\(difference.part), in a session that the old program has saved",
                old: difference.old,
                new: difference.new,
                cause: "saved session: \(difference.cause)"
            )
        }
        if !differences.isEmpty { note(differences, of: step, in: pair, page) }
    }

    private func note(_ differences: [ResponseDifference], of step: ComparedStep, in pair: Int, _ page: Int) {
        report.pages[page].add(differences, after: steps(to: pair) + [step])
    }

    /// Adds the states after a step to those to search.
    private func follow(_ outcome: Outcome, of step: ComparedStep, in pair: Int) {
        guard let old = outcome.old.state, let new = outcome.new.state,
            outcome.old.differences(from: outcome.new, at: outcome.clock).allSatisfy(\.isInUpdates)
        else { return }
        let before = context(of: pairs[pair])
        let timers = (outcome.old.updates + outcome.new.updates).compactMap(\.due)
        let next = Pair(
            old: old,
            new: new,
            clock: outcome.clock,
            depth: pairs[pair].depth + 1,
            updates: outcome.old.updates.filter(outcome.new.updates.contains),
            horizon: timers.min().map { max(0, $0 - outcome.clock) },
            outline: outcome.old.outline,
            parent: Parent(pair: pair, step: step, recorded: step.recorded(outcome.old, at: outcome.clock))
        )
        visit(next)
        let after = context(of: next)
        if before != after, crossings[before, default: Crossings()].targets.insert(after).inserted {
            crossings[before]?.steps.append(step)
            newCrossings.append((step, before))
        }
    }

    // MARK: Result

    /// Runs the shortest sequence of each group of differences once more, in programs that know nothing of the search.
    private func confirmDifferences() async throws {
        for page in report.pages.indices {
            for group in report.pages[page].differences.indices {
                try old.restart()
                try new.restart()
                let steps = report.pages[page].differences[group].steps
                var states: (old: Value, new: Value) = (.null, .null)
                var clock = Self.start
                var events: [Value.Object] = []
                var last: Outcome?
                let isContinued = report.pages[page].differences[group].isContinued
                for (index, step) in steps.enumerated() {
                    clock += step.wait
                    // The new version continues what the old one has saved.
                    if isContinued, index == steps.count - 1 { states.new = states.old }
                    let outcome = try await outcome(of: step, from: states, at: clock)
                    states = (outcome.old.state ?? .null, outcome.new.state ?? .null)
                    events.append(step.recorded(outcome.old, at: clock))
                    last = outcome
                }
                report.pages[page].differences[group].recordedEvents = events
                let differences = last.map { $0.old.differences(from: $0.new, at: $0.clock) } ?? []
                let found = report.pages[page].differences[group].difference
                report.pages[page].differences[group].isConfirmed = differences.contains {
                    $0.old == found.old && $0.new == found.new
                }
            }
        }
    }
}
