import BusinessLogic

extension Comparison {
    struct Outcome {
        let old: StepOutcome
        let new: StepOutcome
        let clock: Int

        /// What both give, without values.
        var kind: String { "\(old.kind) \(new.kind)" }

        /// Whether both are the same as in an earlier outcome, apart from times.
        func isSame(as earlier: Outcome) -> Bool {
            isSame(old, as: earlier.old, earlier.clock) && isSame(new, as: earlier.new, earlier.clock)
        }

        private func isSame(_ outcome: StepOutcome, as earlier: StepOutcome, _ start: Int) -> Bool {
            let duration = clock - start
            func value(_ outcome: StepOutcome) -> Value {
                let updates = outcome.updates.map { update -> Value in
                    [.string(update.page), .string(update.event), update.due.map { .time($0) } ?? .null]
                }
                return [.object(outcome.response), SessionOutline(outcome.outline, at: nil).value, .array(updates)]
            }
            return outcome.calls == earlier.calls && outcome.missing == earlier.missing
                && value(earlier).isSame(as: value(outcome), plus: duration)
        }
    }
}

extension Comparison.Pair {
    /// `nil` if a version could not run the step.
    init?(after outcome: Comparison.Outcome) {
        let (old, new, clock) = (outcome.old, outcome.new, outcome.clock)
        guard let oldState = old.state, let newState = new.state else { return nil }
        self.init(
            old: oldState,
            new: newState,
            clock: clock,
            updates: old.updates.filter(new.updates.contains),
            horizon: (old.updates + new.updates).compactMap(\.due).min().map { max(0, $0.subtractingSaturated(clock)) },
            outlines: [old, new].map { SessionOutline($0.outline, at: clock) }
        )
    }
}
