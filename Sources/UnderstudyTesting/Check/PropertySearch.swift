#if canImport(Understudy)
    internal import BusinessLogic
    internal import Understudy

    /// Searches for situations that contradict properties.
    ///
    /// It runs each sequence of steps from the start, because collaborators cannot be copied.
    struct PropertySearch {
        let properties: [Property]
        let sessions: Int
        let durations: [Duration]
        let depth: Int
        let situations: Int
        let make: () throws -> CheckedPages
        /// The shortest steps to a situation that contradicts a property, by its index.
        var violations: [Int: [CheckedStep]] = [:]
        var occurred: Set<Int> = []

        /// Returns how much was searched, and what fails the test.
        mutating func run() async throws -> (CheckResult, failures: [String]) {
            let start = try await self.run([])
            note(start, [])
            var known: Set<[UInt8]> = [start.key]
            var open: [[CheckedStep]] = [[]]
            var isClosed = true
            var next = 0
            while next < open.count {
                let steps = open[next]
                next += 1
                for step in try possibleSteps(after: try await self.run(steps)) {
                    let run = try await self.run(steps + [step])
                    guard !known.contains(run.key) else { continue }
                    guard known.count < situations, steps.count < depth else {
                        isClosed = false
                        continue
                    }
                    known.insert(run.key)
                    // What contradicts a property already is not followed further.
                    if note(run, steps + [step]) { open.append(steps + [step]) }
                }
            }
            let failures = properties.indices.compactMap { failure(of: $0, isClosed: isClosed) }
            return (CheckResult(situations: known.count, isClosed: isClosed), failures)
        }

        private func failure(of index: Int, isClosed: Bool) -> String? {
            let property = properties[index]
            if let steps = violations[index] {
                let lines = steps.map { "    " + $0.source(sessions: sessions) }
                let what = property.kind == .never ? "happens" : "is not always true"
                return (["\"\(property.name)\" \(what). After \(steps.count) steps:"] + lines).joined(separator: "\n")
            }
            guard property.kind == .sometimes, !occurred.contains(index) else { return nil }
            let extent = isClosed ? "no sequence of the examples leads there" : "the search has reached its limits"
            return "\"\(property.name)\" never happens: \(extent)."
        }

        private func run(_ steps: [CheckedStep]) async throws -> CheckedRun {
            let run = CheckedRun(try make(), sessions: sessions)
            for step in steps { await run.run(step) }
            return run
        }

        private func possibleSteps(after run: CheckedRun) throws -> [CheckedStep] {
            var steps: [CheckedStep] = []
            let pages = try make().pages
            for session in 0..<sessions {
                for page in pages {
                    for example in try page.examples(of: nil) {
                        steps.append(.event(session: session, page: page.name, example.event, example.values))
                    }
                }
            }
            let timer = run.durationUntilTimer.map { [$0] } ?? []
            return steps + (timer + durations).map { .advance($0) }
        }

        /// Returns whether no property is contradicted.
        @discardableResult
        private mutating func note(_ run: CheckedRun, _ steps: [CheckedStep]) -> Bool {
            let situation = run.situation
            var isRight = true
            for (index, property) in properties.enumerated() {
                if property.isViolated(in: situation) {
                    isRight = false
                    if violations[index] == nil { violations[index] = steps }
                } else if property.kind == .sometimes, property.isTrue(situation) {
                    occurred.insert(index)
                }
            }
            return isRight
        }
    }
#endif
