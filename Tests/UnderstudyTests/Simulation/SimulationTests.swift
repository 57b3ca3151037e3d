/// What two servers and a database do at the same time, in thousands of orders. `scripts/checks/simulate` tries more, and repeats one.
struct SimulationTests {
    /// The seeds that the environment names, as `FIRST` or `FIRST-LAST`; a hundred without one.
    static let seeds: ClosedRange<UInt64> = {
        let numbers = (ProcessInfo.processInfo.environment["UNDERSTUDY_SEEDS"] ?? "").split(separator: "-").compactMap {
            UInt64($0)
        }
        guard let first = numbers.first, let last = numbers.last, first <= last else { return 1...100 }
        return first...last
    }()

    @Test func `two servers that share sessions keep their promises in every order`() {
        for seed in Self.seeds {
            let violations = Simulation.violations(seed: seed)
            #expect(violations.isEmpty, "scripts/checks/simulate --seed \(seed): \(violations.joined(separator: "\n"))")
        }
    }

    @Test func `a seed repeats exactly`() {
        let runs = (0..<3).map { _ in Simulation.violations(seed: 7, flaw: .lostUpdate) }
        #expect(runs == [runs[0], runs[0], runs[0]])
    }

    @Test(arguments: SimulatedStore.Flaw.allCases)
    func `the simulation finds each flaw of a store`(_ flaw: SimulatedStore.Flaw) {
        #expect(Self.seeds.contains { !Simulation.violations(seed: $0, flaw: flaw).isEmpty })
    }
}
