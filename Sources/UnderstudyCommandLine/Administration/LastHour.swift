import BusinessLogic
import Synchronization
import Understudy

/// What a server has done in each minute of the last hour, from its metrics.
final class LastHour: Sendable {
    /// A line of a chart, 59 wide and 20 high, with the last minute at its right end.
    struct Line: ObjectValue {
        let name: String
        let last: String
        let maximum: String
        /// The points of a polyline.
        let points: String

        static let object = ObjectSchema<Line>(
            showing: Member("name", \.name),
            Member("last", \.last),
            Member("maximum", \.maximum),
            Member("points", \.points)
        )

        init(_ name: String, _ values: [Double], _ unit: String = "") {
            let top = values.max() ?? 0
            self.name = name
            last = decimal(values.last ?? 0) + unit
            maximum = decimal(top) + unit
            // A single value is a line as well.
            let shown = values.count == 1 ? values + values : values
            points = shown.enumerated().map { index, value -> String in
                let height: Double = 20 - 20 * value / max(top, .leastNonzeroMagnitude)
                return "\(60 - shown.count + index),\(decimal(height))"
            }.joined(separator: " ")
        }
    }

    /// The metrics at a time, in seconds since 1970.
    private struct Totals {
        let time, requests, errors, durations, seconds, memory: Double
        /// How often and how long the events of each page have run.
        var pages: [MetricSample]

        init(_ samples: [MetricSample], at time: Double) {
            self.time = time
            requests = samples.sum("understudy_requests_total") ?? 0
            errors = samples.serverErrors
            durations = samples.sum("understudy_request_duration_seconds_count") ?? 0
            seconds = samples.sum("understudy_request_duration_seconds_sum") ?? 0
            memory = samples.sum("process_resident_memory_bytes") ?? 0
            pages = samples.filter { Overview.durations.contains($0.name) }
        }
    }

    /// How many of the last minutes say which page is slow.
    private static let recent = 5

    private let minutes = Mutex<[Totals]>([])

    /// Remembers the metrics. Call it once a minute.
    func add(_ samples: [MetricSample], at time: Double) {
        minutes.withLock {
            $0.append(Totals(samples, at: time))
            if $0.count > 60 { $0.removeFirst() }
            if $0.count > Self.recent { $0[$0.count - Self.recent - 1].pages = [] }
        }
    }

    /// The durations five minutes ago, or when the server started.
    var earlierDurations: [MetricSample] { minutes.withLock { $0.suffix(Self.recent).first?.pages ?? [] } }

    /// The lines up to now; none in the first seconds, in which a rate says nothing.
    func lines(_ samples: [MetricSample], at time: Double) -> [Line] {
        let all = minutes.withLock { $0 }.filter { $0.time <= time - 2 } + [Totals(samples, at: time)]
        let pairs = Array(zip(all, all.dropFirst()))
        guard !pairs.isEmpty else { return [] }
        func rates(_ total: KeyPath<Totals, Double>) -> [Double] {
            pairs.map { start, end -> Double in
                max(0, end[keyPath: total] - start[keyPath: total]) * 60 / max(1, end.time - start.time)
            }
        }
        let latency = pairs.map { start, end -> Double in
            (end.seconds - start.seconds) * 1000 / max(1, end.durations - start.durations)
        }
        let memory = pairs.map { _, end -> Double in end.memory / 1_048_576 }
        return [
            Line("Requests per minute", rates(\.requests)), Line("5xx per minute", rates(\.errors)),
            Line("Mean latency", latency, " ms"), Line("Memory", memory, " MiB"),
        ]
    }
}
