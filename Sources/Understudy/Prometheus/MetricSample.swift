/// A value of a metric.
package struct MetricSample: Sendable {
    /// How a metric changes.
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

    /// A count that only grows.
    package static func counter(_ name: String, _ value: Double, _ labels: (String, String)...) -> MetricSample {
        MetricSample(.counter, name, value, labels)
    }

    /// A number that can increase and decrease.
    package static func gauge(_ name: String, _ value: Double, _ labels: (String, String)...) -> MetricSample {
        MetricSample(.gauge, name, value, labels)
    }

    /// The value of a label; `nil` without that label.
    package subscript(_ label: String) -> String? { labels.first { $0.0 == label }?.1 }
}

extension MetricSample: Metric {
    var values: [(ending: String, bucket: String, value: Double)] { [("", "", value)] }
}
