extension PrometheusRegistry {
    /// The value of a metric; `nil` if it is missing.
    func value(_ metric: String) -> Double? {
        exposition().split(separator: "\n").first { $0.hasPrefix(metric + " ") }
            .flatMap { Double($0.dropFirst(metric.count + 1)) }
    }
}
