package import BusinessLogic

package struct ComparisonReport {
    /// What the search has not tried, or found no example for.
    package enum Untried: Hashable, Comparable {
        /// Pairs of states beyond the limit.
        case pairs
        /// Pairs of states after more events than the limit allows.
        case depth
        /// States of the page with values or a user that events of other pages lead to.
        case combinations
        /// Durations at which an event has another outcome.
        case durations
        /// Events with a collaborator that accepts no result that is known.
        case results(String)
        /// Results of a collaborator whose type differs in the versions.
        case types(String)
        /// Events that call collaborators more often than the limit allows.
        case calls(String)
        /// Events of the new version in sessions of the old one that need other results of a collaborator than in its own.
        case savedSessions(String)
        /// Events that neither version could run, for this reason.
        case stopped(String)
        /// Pairs of states that were not searched in time.
        case time
        /// Values or users that events of these other pages, which are not closed, can lead to.
        case values(pages: String)
    }

    /// Differences in the same part of the same event, for the same text of a cause.
    package struct Difference {
        package let page: String
        package let event: String
        let difference: ResponseDifference
        package let steps: [ComparedStep]
        /// The events and what the old version has responded, as in a recording.
        package let recordedEvents: [Value.Object]
        /// Before the first event; `nil` for a new session.
        package let user: Value?
        /// Leads to the number of its cause.
        let identity: String
        package internal(set) var count = 1

        package var part: String { difference.part }
        package var old: String { difference.old }
        package var new: String { difference.new }
        package var cause: String { difference.cause }
    }

    package struct Page {
        package let name: String
        package let events: Int
        package let inputs: Int
        package internal(set) var pairs = 0
        /// The largest number of events before a pair.
        package internal(set) var depth = 0
        package internal(set) var untried: [Untried: Int] = [:]
        var reached: Set<PageOutcome> = []
        package var unreached: [PageOutcome] = []
        package var differences: [Difference] = []

        package var isClosed: Bool { untried.isEmpty && unreached.isEmpty }
    }

    package var pages: [Page] = []
    /// The numbers of causes by what identifies them: the event that leads to another state, or the text of a cause on a page.
    private var numbers: [String: Int] = [:]
    package internal(set) var steps = 0

    /// The differences by what is probably their cause, those after the fewest events first.
    package var causes: [[Difference]] {
        Dictionary(grouping: pages.flatMap(\.differences), by: number).sorted { $0.key < $1.key }
            .map { $0.value.sorted { $0.steps.count < $1.steps.count } }
            .sorted { $0[0].steps.count < $1[0].steps.count }
    }

    package func number(of difference: Difference) -> Int { numbers[difference.identity] ?? 0 }

    /// Gives texts that identify the same cause the same number.
    mutating func unite(_ texts: [String]) {
        let known = Set(texts.compactMap { numbers[$0] })
        let number = known.min() ?? numbers.count
        for (text, other) in numbers where known.contains(other) { numbers[text] = number }
        for text in texts { numbers[text] = number }
    }
}

package struct ComparisonError: Error, CustomStringConvertible {
    package let description: String
}
