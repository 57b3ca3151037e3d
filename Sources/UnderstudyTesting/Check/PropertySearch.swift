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
        let limits: CheckLimits
        let make: () throws -> CheckedPages

        /// What has been found so far.
        private struct Findings {
            /// The shortest known steps to a situation that contradicts a property, by its index.
            var violations: [Int: [CheckedStep]] = [:]
            /// The properties that were true in a situation.
            var occurred: Set<Int> = []
        }

        /// - Returns: how much was searched, and what fails the test.
        func run() async throws -> (CheckResult, failures: [String]) {
            var findings = Findings()
            let (situations, isClosed) = try await searchAll(&findings)
            if !isClosed { try await walk(&findings) }
            let failures = properties.indices.compactMap { failure(of: $0, findings, isClosed: isClosed) }
            return (CheckResult(situations: situations, isClosed: isClosed), failures)
        }

        private func failure(of index: Int, _ findings: Findings, isClosed: Bool) -> String? {
            let property = properties[index]
            if let steps = findings.violations[index] {
                let lines = steps.map { "    " + $0.source(sessions: sessions) }
                let what = property.kind == .never ? "happens" : "is not always true"
                return (["\"\(property.name)\" \(what). After \(steps.count) steps:"] + lines).joined(separator: "\n")
            }
            guard property.kind == .sometimes, !findings.occurred.contains(index) else { return nil }
            let extent = isClosed ? "no sequence of the examples leads there" : "the search has reached its limits"
            return "\"\(property.name)\" never happens: \(extent)."
        }

        // MARK: All orders

        private func searchAll(_ findings: inout Findings) async throws -> (situations: Int, isClosed: Bool) {
            let start = CheckedRun(try make(), sessions: sessions)
            note(start, [], &findings)
            var known: Set<[UInt8]> = [start.key]
            var open: [[CheckedStep]] = [[]]
            var isClosed = true
            var next = 0
            while next < open.count {
                let steps = open[next]
                next += 1
                let run = try await self.run(steps)
                for step in try possibleSteps(after: run) {
                    let run = try await self.run(steps + [step])
                    guard !known.contains(run.key) else { continue }
                    guard known.count < limits.situations, steps.count < limits.depth else {
                        isClosed = false
                        continue
                    }
                    known.insert(run.key)
                    // What contradicts a property already is not followed further.
                    if note(run, steps + [step], &findings) { open.append(steps + [step]) }
                }
            }
            return (known.count, isClosed)
        }

        private func run(_ steps: [CheckedStep]) async throws -> CheckedRun {
            let run = CheckedRun(try make(), sessions: sessions)
            for step in steps { await run.run(step) }
            return run
        }

        /// The events of all pages in all sessions, and the durations to let pass.
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

        /// Checks the properties in a situation.
        ///
        /// - Returns: whether none of them is contradicted.
        @discardableResult
        private func note(_ run: CheckedRun, _ steps: [CheckedStep], _ findings: inout Findings) -> Bool {
            let situation = run.situation
            var isRight = true
            for (index, property) in properties.enumerated() {
                if property.isViolated(in: situation) {
                    isRight = false
                    if findings.violations[index] == nil { findings.violations[index] = steps }
                } else if property.kind == .sometimes, property.isTrue(situation) {
                    findings.occurred.insert(index)
                }
            }
            return isRight
        }

        // MARK: Random sequences

        private func walk(_ findings: inout Findings) async throws {
            var random = SequenceRandom(seed: limits.seed)
            for _ in 0..<limits.walks {
                let run = CheckedRun(try make(), sessions: sessions)
                var steps: [CheckedStep] = []
                for _ in 0..<limits.walkLength {
                    guard let step = try possibleSteps(after: run).randomElement(using: &random) else { break }
                    await run.run(step)
                    steps.append(step)
                    let known = Set(findings.violations.keys)
                    if !note(run, steps, &findings) {
                        for index in findings.violations.keys where !known.contains(index) {
                            findings.violations[index] = try await shortened(steps, contradicting: properties[index])
                        }
                        break
                    }
                }
            }
        }

        /// The steps without those that the situation does not need.
        private func shortened(_ steps: [CheckedStep], contradicting property: Property) async throws -> [CheckedStep] {
            var steps = steps
            var index = steps.count - 1
            while index >= 0 {
                var shorter = steps
                shorter.remove(at: index)
                let run = CheckedRun(try make(), sessions: sessions)
                var count = 0
                for step in shorter where !property.isViolated(in: run.situation) {
                    await run.run(step)
                    count += 1
                }
                if property.isViolated(in: run.situation) { steps = Array(shorter.prefix(count)) }
                index = min(index, steps.count) - 1
            }
            return steps
        }
    }
#endif
