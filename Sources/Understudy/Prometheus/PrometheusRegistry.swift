package import CoreMetrics
import Synchronization

/// A backend of swift-metrics that writes all metrics in Prometheus' text exposition format 0.0.4. Pass it to
/// `MetricsSystem.bootstrap(_:)`.
///
/// The label of a metric in swift-metrics is its name in Prometheus. It must follow the conventions of Prometheus and include
/// the unit (`requests_total`, `duration_seconds`). A character that Prometheus does not allow becomes `_`. Timers are
/// histograms in seconds. The methods may be called from any number of tasks at the same time. Changing a counter or a timer takes no
/// lock.
package final class PrometheusRegistry: MetricsFactory {
    private let families = Mutex<[String: Family]>([:])
    /// A structure, because a closure that a generic type stores by itself gets another reabstraction thunk at each access.
    private struct Collector {
        let read: @Sendable () -> [MetricSample]
    }

    private let collectors = Mutex<[Collector]>([])
    private let help: [String: String]

    /// A metric without help has no `HELP` line.
    package init(help: [String: String] = [:]) { self.help = help }

    /// The descriptions of metrics by their names. The file has entries of a name and indented lines with the description, separated by empty lines.
    package static func descriptions(in file: [UInt8]) -> [String: String] {
        let entries = String(decoding: file, as: UTF8.self).split(separator: "\n\n").map { entry in
            let words = entry.split(whereSeparator: \.isWhitespace).map(String.init)
            return (words[0], words.dropFirst().joined(separator: " "))
        }
        return Dictionary(entries) { $1 }
    }

    /// Adds metrics that `read` returns whenever the metrics are read. It must always return the same ones.
    package func collect(_ read: @escaping @Sendable () -> [MetricSample]) {
        collectors.withLock { $0.append(Collector(read: read)) }
    }

    /// All values except those of the buckets of histograms.
    package func samples() -> [MetricSample] {
        current().flatMap { name, family in
            family.metrics.values.flatMap { labels, metric in
                metric.values.filter(\.bucket.isEmpty).map {
                    MetricSample(family.kind, name + $0.ending, $0.value, labels)
                }
            }
        }
    }

    private func current() -> [String: Family] {
        var families = families.withLock { $0 }
        for sample in collectors.withLock({ $0 }).flatMap({ $0.read() }) {
            families[Self.name(sample.name), default: Family(kind: sample.kind)]
                .metrics[Self.text(sample.labels)] = (sample.labels, sample)
        }
        return families
    }

    package func exposition() -> String {
        let families = current()
        var text = ""
        for (name, family) in families.sorted(by: { $0.key < $1.key }) {
            if let help = help[name] { text += "# HELP \(name) \(Self.escaped(help, quotes: false))\n" }
            text += "# TYPE \(name) \(family.kind.rawValue)\n"
            for (labels, metric) in family.metrics.sorted(by: { $0.key < $1.key }) {
                for (ending, bucket, value) in metric.metric.values {
                    let labels = [labels, bucket].filter { !$0.isEmpty }.joined(separator: ",")
                    text += name + ending + (labels.isEmpty ? "" : "{\(labels)}") + " \(Self.number(value))\n"
                }
            }
        }
        return text
    }

    // MARK: MetricsFactory

    package func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler {
        metric(label, dimensions, .counter) { CounterMetric() }
    }

    package func makeMeter(label: String, dimensions: [(String, String)]) -> any MeterHandler {
        metric(label, dimensions, .gauge) { GaugeMetric() }
    }

    package func makeRecorder(label: String, dimensions: [(String, String)], aggregate: Bool) -> any RecorderHandler {
        if aggregate {
            metric(label, dimensions, .histogram) { HistogramMetric() }
        } else {
            metric(label, dimensions, .gauge) { GaugeMetric() } as GaugeMetric
        }
    }

    package func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler {
        metric(label, dimensions, .histogram) { HistogramMetric() }
    }

    // A metric stays in the exposition until the process ends. If it disappeared, Prometheus would assume a restart.

    package func destroyCounter(_ handler: any CounterHandler) {}
    package func destroyMeter(_ handler: any MeterHandler) {}
    package func destroyRecorder(_ handler: any RecorderHandler) {}
    package func destroyTimer(_ handler: any TimerHandler) {}

    // MARK: Families

    private struct Family: Sendable {
        let kind: MetricSample.Kind
        var metrics: [String: (labels: [(String, String)], metric: any Metric)] = [:]
    }

    /// Creates the metric if necessary. If a metric of another kind already has the name, returns a new metric that is not part of the exposition.
    private func metric<Made: Metric>(
        _ label: String,
        _ dimensions: [(String, String)],
        _ kind: MetricSample.Kind,
        _ make: () -> Made
    ) -> Made {
        let name = Self.name(label)
        let labels = Self.text(dimensions)
        return families.withLock { families in
            var family = families[name] ?? Family(kind: kind)
            if let known = family.metrics[labels]?.metric as? Made, family.kind == kind { return known }
            let made = make()
            guard family.kind == kind, family.metrics[labels] == nil else { return made }
            family.metrics[labels] = (dimensions, made)
            families[name] = family
            return made
        }
    }

    private static func text(_ labels: [(String, String)]) -> String {
        labels.map { "\(name($0.0))=\"\(escaped($0.1, quotes: true))\"" }.joined(separator: ",")
    }

    private static func name(_ label: String) -> String {
        // For speed: the service asks for the metric of each request that fails.
        if label.utf8.allSatisfy({ (0x61...0x7A).contains($0) || $0 == UInt8(ascii: "_") }), !label.isEmpty {
            return label
        }
        let name = String(label.map { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_" || $0 == ":") ? $0 : "_" })
        return name.first?.isNumber ?? true ? "_" + name : name
    }

    static func number(_ value: Double) -> String {
        if value.isNaN { return "NaN" }
        if value.isInfinite { return value < 0 ? "-Inf" : "+Inf" }
        return Int64(exactly: value).map { "\($0)" } ?? "\(value)"
    }

    private static func escaped(_ text: String, quotes: Bool) -> String {
        if !text.utf8.contains(where: "\\\n\"".utf8.contains) { return text }
        return text.unicodeScalars.map { scalar in
            switch scalar {
            case "\\": "\\\\"
            case "\n": "\\n"
            case "\"" where quotes: "\\\""
            default: String(scalar)
            }
        }.joined()
    }
}
