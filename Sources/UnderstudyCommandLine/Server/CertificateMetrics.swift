import CoreMetrics
import MicroHTTP

/// The metric of the certificate that the server uses now.
struct CertificateMetrics {
    /// The description of each metric by its name.
    static let descriptions = [
        "understudy_certificate_not_after_timestamp_seconds":
            "When the first certificate of the chain expires, in seconds since 1970."
    ]

    private let credentials: TLSCredentials
    private let expiration: Meter

    init(_ credentials: TLSCredentials, factory: any MetricsFactory) {
        self.credentials = credentials
        expiration = Meter(label: "understudy_certificate_not_after_timestamp_seconds", factory: factory)
    }

    /// Updates the metric, because the certificate can be replaced.
    func update() {
        if let seconds = credentials.expiration { expiration.set(seconds) }
    }
}
