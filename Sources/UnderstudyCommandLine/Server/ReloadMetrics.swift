import CoreMetrics

/// The metric of the last SIGHUP.
struct ReloadMetrics {
    /// The description of each metric by its name.
    static let descriptions = [
        "understudy_last_reload_successful":
            "1 if the last SIGHUP has reloaded everything, and before the first one; otherwise 0."
    ]

    private let successful: Meter

    init(factory: any MetricsFactory) {
        successful = Meter(label: "understudy_last_reload_successful", factory: factory)
        set(isSuccessful: true)
    }

    func set(isSuccessful: Bool) {
        successful.set(isSuccessful ? 1 : 0)
    }
}
