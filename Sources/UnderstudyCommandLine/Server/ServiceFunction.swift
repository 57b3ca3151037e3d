import ServiceLifecycle

/// A service that is one function, which returns after a graceful shutdown.
struct ServiceFunction: Service {
    private let body: @Sendable () async throws -> Void

    init(_ body: @escaping @Sendable () async throws -> Void) {
        self.body = body
    }

    func run() async throws { try await body() }
}
