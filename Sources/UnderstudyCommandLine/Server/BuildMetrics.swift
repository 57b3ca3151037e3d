import CBuild
import CoreMetrics
import Understudy

/// The metric that names the versions that run.
enum BuildMetrics {
    /// The description of each metric by its name.
    static let descriptions = [
        "understudy_build_info":
            "Always 1, by the version of the program, that of Understudy, and the commit (empty if it is not known)."
    ]

    /// Sets the metric, which does not change afterwards.
    ///
    /// - Parameter version: the version of the program.
    static func set(version: String, factory: any MetricsFactory) {
        let dimensions = [
            ("version", version), ("understudy", UnderstudyService.version), ("commit", String(cString: CBuild_commit)),
        ]
        Meter(label: "understudy_build_info", dimensions: dimensions, factory: factory).set(1)
    }
}
