/// The samples in a text of Prometheus' exposition format that this program has written.
struct MetricSamples {
    /// One value with its labels.
    struct Sample {
        var labels: [String: String] = [:]
        let value: Double
    }

    private var byName: [String: [Sample]] = [:]

    /// Reads a text, except the buckets of histograms; `nil` if a line is malformed, or no metric is of Understudy.
    init?(_ text: String) {
        for line in text.split(separator: "\n") where !line.hasPrefix("#") && !line.contains("_bucket{") {
            guard let space = line.lastIndex(of: " "), let value = Double(line[line.index(after: space)...]) else {
                return nil
            }
            let series = line[..<space]
            let name = series.prefix { $0 != "{" }
            var sample = Sample(value: value)
            sample.labels = Self.labels(series.dropFirst(name.count + 1))
            byName[String(name), default: []].append(sample)
        }
        guard byName["understudy_sessions"] != nil else { return nil }
    }

    /// The labels in `name="value",name="value"}`.
    private static func labels(_ text: Substring) -> [String: String] {
        var labels: [String: String] = [:]
        var rest = text
        while let start = rest.firstRange(of: "=\"") {
            let name = rest[..<start.lowerBound].drop { $0 == "," }
            var value = ""
            var end = start.upperBound
            while end < rest.endIndex, rest[end] != "\"" {
                if rest[end] == "\\" { end = rest.index(after: end) }
                if end < rest.endIndex {
                    value.append(rest[end])
                    end = rest.index(after: end)
                }
            }
            labels[String(name)] = value
            rest = rest[end...].dropFirst()
        }
        return labels
    }

    /// The samples of a metric; empty if it is missing.
    subscript(_ name: String) -> [Sample] { byName[name] ?? [] }

    /// The sum of a metric's samples; `nil` if it is missing.
    ///
    /// - Parameter isIncluded: whether a sample with those labels counts.
    func sum(_ name: String, where isIncluded: ([String: String]) -> Bool = { _ in true }) -> Double? {
        byName[name].map { samples in samples.filter { isIncluded($0.labels) }.reduce(0) { $0 + $1.value } }
    }

    /// The sums of a metric's samples by a label, the highest first. Leaves out those that are 0.
    func sums(_ name: String, by label: String) -> [(value: String, sum: Double)] {
        let groups = Dictionary(grouping: self[name]) { $0.labels[label] ?? "" }
        return groups.map { ($0.key, $0.value.reduce(0) { $0 + $1.value }) }.filter { $0.1 != 0 }
            .sorted { ($1.1, $0.0) < ($0.1, $1.0) }
    }
}
