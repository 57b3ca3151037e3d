import ServiceLifecycle

/// Runs a shadow while the server runs.
struct ShadowService: Service {
    let shadow: Shadow

    func run() async throws {
        shadow.start()
        try? await gracefulShutdown()
        shadow.stop()
    }
}
