import HTTPMessages
import MicroHTTP
import Synchronization

/// Passes other settings to a server, as soon as there is one.
final class ServerReloads: Sendable {
    /// What the server serves, and with which limits.
    struct Settings: Sendable {
        let responder: any Responder
        let configuration: ServerConfiguration
    }

    private struct State {
        weak var server: Server?
        /// What the server gets before it is used.
        var pending: Settings?
    }

    private let state = Mutex(State())

    /// Passes the settings that have arrived before to a server, and all further ones.
    func use(_ server: Server) async {
        while let settings = takePending(for: server) { await apply(settings, to: server) }
    }

    private func takePending(for server: Server) -> Settings? {
        state.withLock { state in
            if state.pending == nil { state.server = server }
            return state.pending.take()
        }
    }

    /// Applies other settings to the server.
    func reload(_ settings: Settings) async {
        let server = state.withLock { state in
            if state.server == nil { state.pending = settings }
            return state.server
        }
        if let server { await apply(settings, to: server) }
    }

    private func apply(_ settings: Settings, to server: Server) async {
        server.replaceResponder(settings.responder)
        await server.reload(settings.configuration)
    }
}
