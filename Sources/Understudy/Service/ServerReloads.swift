import MicroHTTP
import Synchronization

/// Passes other configurations to a server, as soon as there is one.
final class ServerReloads: Sendable {
    private struct State {
        weak var server: Server?
        /// What the server gets before it is used.
        var pending: ServerConfiguration?
    }

    private let state = Mutex(State())

    /// Passes the configuration that has arrived before to a server, and all further ones.
    func use(_ server: Server) async {
        while let configuration = takePending(for: server) { await server.reload(configuration) }
    }

    private func takePending(for server: Server) -> ServerConfiguration? {
        state.withLock { state in
            if state.pending == nil { state.server = server }
            return state.pending.take()
        }
    }

    /// Applies another configuration to the server.
    func reload(_ configuration: ServerConfiguration) async {
        let server = state.withLock { state in
            if state.server == nil { state.pending = configuration }
            return state.server
        }
        await server?.reload(configuration)
    }
}
