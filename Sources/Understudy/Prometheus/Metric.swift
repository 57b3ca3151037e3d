import CoreMetrics
import Synchronization

/// The values of a metric, by the endings of their names; those of the buckets of a histogram with the label of the bucket, otherwise it is
/// empty.
typealias MetricValues = [(ending: String, bucket: String, value: Double)]

protocol Metric: Sendable {
    var values: MetricValues { get }
}

final class CounterMetric: Metric, CounterHandler {
    private let count = Atomic<Int64>(0)

    func increment(by amount: Int64) { count.add(amount, ordering: .relaxed) }

    func reset() { count.store(0, ordering: .relaxed) }

    var values: MetricValues { [("", "", Double(count.load(ordering: .relaxed)))] }
}

final class GaugeMetric: Metric, MeterHandler, RecorderHandler {
    private let number = Mutex(0.0)

    func set(_ value: Int64) { set(Double(value)) }
    func set(_ value: Double) { number.withLock { $0 = value } }
    func record(_ value: Int64) { set(Double(value)) }
    func record(_ value: Double) { set(value) }
    func increment(by amount: Double) { number.withLock { $0 += amount } }
    func decrement(by amount: Double) { increment(by: -amount) }

    var values: MetricValues { [("", "", number.withLock { $0 })] }
}

/// The distribution of durations, or of other values, over buckets. A value of 1 counts like a second.
final class HistogramMetric: Metric, TimerHandler, RecorderHandler {
    /// In nanoseconds, from 100 microseconds to 10 seconds.
    private static let bounds: [Int64] = [
        100_000, 250_000, 500_000, 1_000_000, 2_500_000, 5_000_000, 10_000_000, 25_000_000, 50_000_000, 100_000_000,
        250_000_000, 500_000_000, 1_000_000_000, 2_500_000_000, 5_000_000_000, 10_000_000_000,
    ]

    /// An array cannot contain an atomic number directly.
    private final class Cell: Sendable {
        let count = Atomic<Int64>(0)
    }

    /// The last bucket has no upper bound.
    private let counts = (0...HistogramMetric.bounds.count).map { _ in Cell() }
    private let sum = Atomic<Int64>(0)

    func recordNanoseconds(_ duration: Int64) {
        let duration = max(0, duration)
        var bucket = 0
        while bucket < Self.bounds.count, duration > Self.bounds[bucket] { bucket += 1 }
        counts[bucket].count.add(1, ordering: .relaxed)
        sum.add(duration, ordering: .relaxed)
    }

    func record(_ value: Int64) { record(Double(value)) }

    func record(_ value: Double) { recordNanoseconds(Int64(max(0, min(value, 1e9)) * 1e9)) }

    var values: MetricValues {
        var total: Int64 = 0
        let buckets = zip(counts, Self.bounds.map { Double($0) / 1e9 } + [.infinity]).map { cell, bound in
            total += cell.count.load(ordering: .relaxed)
            return ("_bucket", "le=\"\(PrometheusRegistry.number(bound))\"", Double(total))
        }
        let seconds = Double(sum.load(ordering: .relaxed)) / 1e9
        return buckets + [("_sum", "", seconds), ("_count", "", Double(total))]
    }
}

package struct MetricSample: Sendable {
    enum Kind: String {
        case counter, gauge, histogram
    }

    package let name: String
    package let labels: [(String, String)]
    package let value: Double
    let kind: Kind

    init(_ kind: Kind, _ name: String, _ value: Double, _ labels: [(String, String)]) {
        (self.kind, self.name, self.value, self.labels) = (kind, name, value, labels)
    }

    package static func counter(_ name: String, _ value: Double, _ labels: (String, String)...) -> MetricSample {
        MetricSample(.counter, name, value, labels)
    }

    package static func gauge(_ name: String, _ value: Double, _ labels: (String, String)...) -> MetricSample {
        MetricSample(.gauge, name, value, labels)
    }

    package subscript(_ label: String) -> String? { labels.first { $0.0 == label }?.1 }
}

extension MetricSample: Metric {
    var values: MetricValues { [("", "", value)] }
}
