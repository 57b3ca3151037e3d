import CoreMetrics
import Synchronization

/// A counter, gauge or histogram.
protocol Metric: AnyObject, Sendable {
    /// Appends the metric's lines to `text`.
    ///
    /// - Parameter labels: the text between the braces; empty if there are no labels.
    func write(name: String, labels: String, to text: inout String)

    /// The values by the endings of their names, without those of buckets.
    var values: [(ending: String, value: Double)] { get }
}

/// A count that only grows.
final class CounterMetric: Metric, CounterHandler {
    private let count = Atomic<Int64>(0)

    func increment(by amount: Int64) {
        count.add(amount, ordering: .relaxed)
    }

    func reset() {
        count.store(0, ordering: .relaxed)
    }

    func write(name: String, labels: String, to text: inout String) {
        text.append(line: name, labels, "\(count.load(ordering: .relaxed))")
    }

    var values: [(ending: String, value: Double)] { [("", Double(count.load(ordering: .relaxed)))] }
}

/// A number that can increase and decrease.
final class GaugeMetric: Metric, MeterHandler, RecorderHandler, FloatingPointCounterHandler {
    private let bits = Atomic<UInt64>(0)

    func set(_ value: Int64) {
        set(Double(value))
    }

    func set(_ value: Double) {
        bits.store(value.bitPattern, ordering: .relaxed)
    }

    func record(_ value: Int64) {
        set(Double(value))
    }

    func record(_ value: Double) {
        set(value)
    }

    func increment(by amount: Double) {
        var old = bits.load(ordering: .relaxed)
        while true {
            let new = (Double(bitPattern: old) + amount).bitPattern
            let (isExchanged, found) = bits.weakCompareExchange(expected: old, desired: new, ordering: .relaxed)
            if isExchanged { return }
            old = found
        }
    }

    func decrement(by amount: Double) {
        increment(by: -amount)
    }

    func reset() {
        set(0.0)
    }

    func write(name: String, labels: String, to text: inout String) {
        text.append(line: name, labels, number(value))
    }

    var values: [(ending: String, value: Double)] { [("", value)] }

    private var value: Double { Double(bitPattern: bits.load(ordering: .relaxed)) }
}

/// The distribution of durations, or of other values, over buckets. A value of 1 counts like a second.
final class HistogramMetric: Metric, TimerHandler, RecorderHandler {
    /// The upper bounds of the buckets, from 100 microseconds to 10 seconds: in nanoseconds, and as text in seconds.
    private static let bounds: [(nanoseconds: Int64, text: String)] = [
        (100_000, "0.0001"), (250_000, "0.00025"), (500_000, "0.0005"), (1_000_000, "0.001"), (2_500_000, "0.0025"),
        (5_000_000, "0.005"), (10_000_000, "0.01"), (25_000_000, "0.025"), (50_000_000, "0.05"),
        (100_000_000, "0.1"), (250_000_000, "0.25"), (500_000_000, "0.5"), (1_000_000_000, "1"),
        (2_500_000_000, "2.5"), (5_000_000_000, "5"), (10_000_000_000, "10"),
    ]

    /// A reference to an atomic number, because an array cannot contain one directly.
    private final class Cell: Sendable {
        let count = Atomic<Int64>(0)
    }

    /// The number of values in each bucket. The last bucket has no upper bound.
    private let counts = (0...HistogramMetric.bounds.count).map { _ in Cell() }
    private let sum = Atomic<Int64>(0)

    func recordNanoseconds(_ duration: Int64) {
        let duration = max(0, duration)
        var bucket = 0
        while bucket < Self.bounds.count, duration > Self.bounds[bucket].nanoseconds { bucket += 1 }
        counts[bucket].count.add(1, ordering: .relaxed)
        sum.add(duration, ordering: .relaxed)
    }

    func record(_ value: Int64) {
        record(Double(value))
    }

    func record(_ value: Double) {
        recordNanoseconds(Int64(max(0, min(value, 1e9)) * 1e9))
    }

    func write(name: String, labels: String, to text: inout String) {
        let separator = labels.isEmpty ? "" : ","
        var total: Int64 = 0
        for (index, cell) in counts.enumerated() {
            total += cell.count.load(ordering: .relaxed)
            let end = index < Self.bounds.count ? Self.bounds[index].text : "+Inf"
            text.append(line: name + "_bucket", "\(labels)\(separator)le=\"\(end)\"", "\(total)")
        }
        text.append(line: name + "_sum", labels, number(seconds))
        text.append(line: name + "_count", labels, "\(total)")
    }

    var values: [(ending: String, value: Double)] {
        [("_sum", seconds), ("_count", Double(counts.reduce(0) { $0 + $1.count.load(ordering: .relaxed) }))]
    }

    private var seconds: Double { Double(sum.load(ordering: .relaxed)) / 1e9 }
}

extension String {
    fileprivate mutating func append(line name: String, _ labels: String, _ value: String) {
        self += labels.isEmpty ? "\(name) \(value)\n" : "\(name){\(labels)} \(value)\n"
    }
}

/// A number in the text exposition format.
private func number(_ value: Double) -> String {
    if value.isNaN { return "NaN" }
    if value.isInfinite { return value < 0 ? "-Inf" : "+Inf" }
    if let integer = Int64(exactly: value) { return "\(integer)" }
    return "\(value)"
}
