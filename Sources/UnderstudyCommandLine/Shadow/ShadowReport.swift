import BusinessLogic
import CoreMetrics
import Logging
import Synchronization
import Understudy
import UnderstudyReplay

/// The metrics and the log lines about a shadow. They contain no values of events.
final class ShadowReport: Sendable {
    /// The description of each metric by its name.
    static let descriptions = [
        "understudy_shadow_events_total":
            "Events of the sample, by result (matched, mismatched, diverged, missing, timeout, failed or dropped).",
        "understudy_shadow_differences_total":
            "Mismatched and diverged events, by page, event and group. The number of a group is in its log line.",
    ]

    /// What differs in the same way.
    private struct Group: Hashable {
        let page: String
        let event: String
        let cause: String
    }

    /// The maximum number of groups with a number, because the other version decides how many there are.
    static let maximumGroups = 100

    private let factory: any MetricsFactory
    private let logger: Logger
    private let counters: [String: Counter]
    private let groups = Mutex<[Group: Int]>([:])

    init(factory: any MetricsFactory, logger: Logger) {
        self.factory = factory
        self.logger = logger
        let results = ["matched", "mismatched", "diverged", "missing", "timeout", "failed", "dropped"]
        // From the start on, so that Prometheus sees the first increment.
        let name = "understudy_shadow_events_total"
        let counters = results.map { Counter(label: name, dimensions: [("result", $0)], factory: factory) }
        self.counters = Dictionary(uniqueKeysWithValues: zip(results, counters))
    }

    /// Reports what the comparison of an event has found.
    func report(_ result: EventComparison.Result, of event: ObservedEvent) {
        switch result {
        case .matched: count("matched")
        case .mismatched(let cause): report("mismatched", cause, "The other version responds in another way", event)
        case .diverged(let cause): report("diverged", cause, "The other version stores another state", event)
        case .missing(let collaborator):
            report(cause: "no result of '\(collaborator)'", "The other version needs another result", event)
            count("missing")
        }
    }

    /// Reports that the other version has not responded to an event.
    func report(_ failure: StepFailure, of event: ObservedEvent) {
        switch failure {
        case .timeout:
            report(cause: "timeout", "The other version has not responded in time", event)
            count("timeout")
        case .ended(let reason):
            report(cause: reason, "The other version has failed at an event", event)
            count("failed")
        case .stopped: drop(1)
        }
    }

    /// Counts events that the other version has not received.
    func drop(_ number: Int) {
        if number > 0 { counters["dropped"]?.increment(by: number) }
    }

    /// Reports that the other version starts again.
    func report(_ failure: StepFailure, pause: Duration) {
        logger.warning(
            "The other version is started again after a pause",
            metadata: ["reason": "\(failure.reason.printable)", "seconds": "\(pause.components.seconds)"]
        )
    }

    private func count(_ result: String) {
        counters[result]?.increment()
    }

    private func report(_ result: String, _ cause: String, _ message: Logger.Message, _ event: ObservedEvent) {
        let number = report(cause: cause, message, event)
        Counter(
            label: "understudy_shadow_differences_total",
            dimensions: [
                ("page", event.page.name), ("event", event.event.name), ("group", number.map { "\($0)" } ?? "other"),
            ],
            factory: factory
        ).increment()
        count(result)
    }

    /// Logs the first event of a group.
    ///
    /// - Returns: the number of the group; `nil` if there are too many.
    @discardableResult
    private func report(cause: String, _ message: Logger.Message, _ event: ObservedEvent) -> Int? {
        // The other version decides how long it is.
        let cause = String(cause.prefix(200)).printable
        let group = Group(page: event.page.name, event: event.event.name, cause: cause)
        let (number, isNew) = groups.withLock { groups in
            if let number = groups[group] { return (number as Int?, false) }
            guard groups.count < Self.maximumGroups else { return (nil, false) }
            groups[group] = groups.count + 1
            return (groups.count, true)
        }
        guard let number, isNew else { return number }
        logger.warning(
            message,
            metadata: [
                "page": "\(group.page)", "event": "\(group.event)", "cause": "\(cause)", "group": "\(number)",
            ]
        )
        return number
    }
}
