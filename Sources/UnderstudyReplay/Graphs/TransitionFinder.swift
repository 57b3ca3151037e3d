import BusinessLogic
import UnderstudyPages

/// Collects the states and transitions of a page's graph while a search finds them.
struct TransitionFinder {
    private(set) var states: [PageGraph.State]
    private let maximumDepth: Int
    private let maximumStates: Int
    /// The indices of the states, by what identifies them.
    private var indices: [[UInt8]: Int]
    /// What each step has given: for each state, by the event.
    private var found: [[Event: [PageGraph.Transition]]] = [[:]]

    init(from start: PageGraph.State, depth: Int, states maximumStates: Int) {
        states = [start]
        indices = [start.outline.json: 0]
        maximumDepth = depth
        self.maximumStates = maximumStates
    }

    /// Adds what a step has given.
    mutating func add(_ step: Comparison.Found, leadingTo state: PageGraph.State?, _ commands: [Command]) {
        guard var state, let source = step.source.flatMap({ indices[$0.json] }) else { return }
        let key = state.outline.json
        state.depth = states[source].depth + 1
        if indices[key] == nil, state.depth <= maximumDepth, states.count < maximumStates {
            indices[key] = states.count
            states.append(state)
            found.append([:])
        }
        let event = Event(step.step.event)
        found[source][event, default: []].append(
            PageGraph.Transition(
                source: source,
                event: event,
                values: step.step.values ?? [:],
                results: step.step.results.compactMap(CollaboratorLog.Entry.init),
                wait: .milliseconds(step.step.wait),
                commands: commands,
                target: indices[key]
            )
        )
    }

    /// The transitions, without those that say nothing new.
    func transitions(of page: Page) -> [PageGraph.Transition] {
        var transitions: [PageGraph.Transition] = []
        for found in found {
            for declaration in page.declarations { transitions += Self.simplified(found[declaration.event] ?? []) }
        }
        return transitions
    }

    /// Of the transitions of one event in one state, those that differ in more than their causes.
    private static func simplified(_ all: [PageGraph.Transition]) -> [PageGraph.Transition] {
        var deciding: [PageGraph.Transition] = []
        for values in all.map({ Value.object($0.values) }).distinct {
            let sameValues = all.filter { .object($0.values) == values }
            var earlier: [PageGraph.Transition] = []
            for wait in Set(sameValues.map(\.wait)).sorted() {
                var outcomes: [PageGraph.Transition] = []
                for transition in sameValues
                where transition.wait == wait && !outcomes.contains(where: transition.leadsToSame) {
                    outcomes.append(transition)
                }
                if outcomes.count == 1 { outcomes[0].results = [] }
                let isNew =
                    outcomes.count != earlier.count
                    || zip(outcomes, earlier).contains { !$0.leadsToSame($1) || $0.results != $1.results }
                if isNew { deciding += outcomes }
                earlier = outcomes
            }
        }
        var transitions: [PageGraph.Transition] = []
        for transition in deciding.sorted(by: { $0.wait < $1.wait }) {
            let index = transitions.firstIndex {
                $0.wait == transition.wait && $0.results == transition.results && $0.leadsToSame(transition)
            }
            // Where results decide, values that make no difference would hide it.
            if let index, !transition.results.isEmpty {
                transitions[index].valuesDecide = false
            } else {
                transitions.append(transition)
            }
        }
        return transitions
    }
}

extension PageGraph.Transition {
    /// Whether the other one gives the same commands and leads to the same state.
    fileprivate func leadsToSame(_ other: PageGraph.Transition) -> Bool {
        commands == other.commands && target == other.target
    }
}
