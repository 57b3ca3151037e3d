public import CoreMetrics
import Synchronization

/// Keeps metrics, and writes them as Prometheus reads them (text exposition format 0.0.4). `MetricsSystem.bootstrap(_:)` has
/// a program count by it.
///
/// The labels of swift-metrics are the metrics' names and have to be as Prometheus wants them, units included
/// (`requests_total`, `duration_seconds`); a character that it does not allow becomes `_`. Timers are histograms in
/// seconds. Used from any number of tasks at once; counting takes no lock.
public final class PrometheusRegistry: MetricsFactory {
    private let families = Mutex<[String: Family]>([:])
    private let help: [String: String]

    /// An empty registry.
    ///
    /// - Parameter help: what a metric of that name means, in a sentence.
    public init(help: [String: String] = [:]) {
        self.help = help
    }

    /// All metrics as text, in the order of their names.
    public func exposition() -> String {
        let families = families.withLock { $0 }
        var text = ""
        for (name, family) in families.sorted(by: { $0.key < $1.key }) {
            if let help = help[name] { text += "# HELP \(name) \(Self.escaped(help, quotes: false))\n" }
            text += "# TYPE \(name) \(family.kind.rawValue)\n"
            for (labels, metric) in family.metrics.sorted(by: { $0.key < $1.key }) {
                metric.write(name: name, labels: labels, to: &text)
            }
        }
        return text
    }

    // MARK: MetricsFactory

    public func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler {
        metric(label, dimensions, .counter) { CounterMetric() }
    }

    public func makeFloatingPointCounter(
        label: String,
        dimensions: [(String, String)]
    ) -> any FloatingPointCounterHandler {
        metric(label, dimensions, .counter) { GaugeMetric() }
    }

    public func makeMeter(label: String, dimensions: [(String, String)]) -> any MeterHandler {
        metric(label, dimensions, .gauge) { GaugeMetric() }
    }

    public func makeRecorder(label: String, dimensions: [(String, String)], aggregate: Bool) -> any RecorderHandler {
        if aggregate {
            metric(label, dimensions, .histogram) { HistogramMetric() }
        } else {
            metric(label, dimensions, .gauge) { GaugeMetric() } as GaugeMetric
        }
    }

    public func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler {
        metric(label, dimensions, .histogram) { HistogramMetric() }
    }

    // A metric stays in the exposition for as long as the process runs: one that goes away would look like a restart.

    public func destroyCounter(_ handler: any CounterHandler) {}
    public func destroyFloatingPointCounter(_ handler: any FloatingPointCounterHandler) {}
    public func destroyMeter(_ handler: any MeterHandler) {}
    public func destroyRecorder(_ handler: any RecorderHandler) {}
    public func destroyTimer(_ handler: any TimerHandler) {}

    // MARK: Families

    private enum Kind: String {
        case counter, gauge, histogram
    }

    /// The metrics of one name, by their labels.
    private struct Family: Sendable {
        let kind: Kind
        var metrics: [String: any Metric] = [:]
    }

    /// The metric of that name and those labels, which is made where there is none. Where the name belongs to metrics of
    /// another kind, it is one that nobody sees.
    private func metric<Made: Metric>(
        _ label: String,
        _ dimensions: [(String, String)],
        _ kind: Kind,
        _ make: () -> Made
    ) -> Made {
        let name = Self.name(label)
        let labels = dimensions.map { "\(Self.name($0.0))=\"\(Self.escaped($0.1, quotes: true))\"" }
            .joined(separator: ",")
        return families.withLock { families in
            var family = families[name] ?? Family(kind: kind)
            if let known = family.metrics[labels] as? Made, family.kind == kind { return known }
            let made = make()
            guard family.kind == kind, family.metrics[labels] == nil else { return made }
            family.metrics[labels] = made
            families[name] = family
            return made
        }
    }

    private static func name(_ label: String) -> String {
        let name = String(label.map { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_" || $0 == ":") ? $0 : "_" })
        return name.first?.isNumber ?? true ? "_" + name : name
    }

    private static func escaped(_ text: String, quotes: Bool) -> String {
        var escaped = ""
        for character in text.unicodeScalars {
            switch character {
            case "\\": escaped += "\\\\"
            case "\n": escaped += "\\n"
            case "\"" where quotes: escaped += "\\\""
            default: escaped.unicodeScalars.append(character)
            }
        }
        return escaped
    }
}
