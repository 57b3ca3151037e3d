package import BusinessLogic
package import UnderstudySessions

/// What a comparison of two versions has found.
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
    }

    /// Differences that probably have one reason: in the same part of the same event.
    package struct Group {
        package let event: String
        /// The difference after the fewest events.
        let difference: ResponseDifference
        /// The events of this difference.
        package let steps: [ComparedStep]
        /// The number of differences.
        package fileprivate(set) var count = 1
        /// The events and what the old version has responded, as in a recording.
        package internal(set) var recordedEvents: [Value.Object] = []
        /// Whether both versions have given the same again.
        package internal(set) var isConfirmed = false

        package var part: String { difference.part }
        package var old: String { difference.old }
        package var new: String { difference.new }
        package var cause: String { difference.cause }
        /// Whether the new version differs in a session that the old one has saved.
        package var isContinued: Bool { cause.hasPrefix("saved session") }

        /// The events with the responses of the old version.
        ///
        /// - Parameter version: the version of this program.
        package func recording(_ version: String) throws -> Recording {
            try Recording(events: recordedEvents, version)
        }
    }

    /// What was found on a page.
    package struct Page {
        package let name: String
        package let events: Int
        /// The number of values that were sent with events.
        package let inputs: Int
        /// The number of different pairs of states.
        package internal(set) var pairs = 0
        /// The largest number of events before a pair.
        package internal(set) var depth = 0
        package internal(set) var untried: [Untried: Int] = [:]
        package internal(set) var differences: [Group] = []

        init(name: String, events: Int, inputs: Int) {
            self.name = name
            self.events = events
            self.inputs = inputs
        }

        /// Whether nothing was left untried.
        package var isClosed: Bool { untried.isEmpty }

        /// Removes the groups that have been accepted.
        package mutating func removeDifferences(where isAccepted: (Group) -> Bool) {
            differences.removeAll(where: isAccepted)
        }

        mutating func add(_ found: [ResponseDifference], after steps: [ComparedStep]) {
            guard let event = steps.last?.event else { return }
            // The others are probably consequences of the first.
            guard let first = found.first else { return }
            if let index = differences.firstIndex(where: { $0.event == event && $0.cause == first.cause }) {
                differences[index].count += 1
            } else {
                differences.append(Group(event: event, difference: first, steps: steps))
            }
        }
    }

    package var pages: [Page] = []
    package var documents: [DocumentDifference] = []
    /// The number of events that were run in both versions.
    package internal(set) var steps = 0
}

/// Why two programs cannot be compared.
package enum ComparisonError: Error, CustomStringConvertible {
    /// A program does not describe its pages.
    case noDescription(of: String, String?)

    package var description: String {
        switch self {
        case .noDescription(let program, let reason):
            "\(program) does not describe its pages: \(reason ?? "its output has no pages"). It must be a program of Understudy"
                + " whose command 'step' knows 'describe'"
        }
    }
}

extension Recording {
    /// A recording of events that a search has run.
    ///
    /// - Parameters:
    ///   - events: the lines of the events.
    ///   - version: the version of this program.
    init(events: [Value.Object], _ version: String) throws {
        let header: Value = [
            "recording": Value(Recording.format), "understudy": .string(version), "started": Value(Comparison.start),
            "redacted": false,
        ]
        try self.init(header.json + events.flatMap { Value.object($0).json })
    }
}
