import HTTPMessages
import MicroHTTP
import Synchronization

/// Passes other settings to a server, as soon as there is one.
final class ServerReloads: Sendable {
    private struct State {
        weak var server: Server?
        /// What the server gets before it is used.
        var pending: (responder: any Responder, configuration: ServerConfiguration)?
    }

    private let state = Mutex(State())

    /// Passes the settings that have arrived before to a server, and all further ones.
    func use(_ server: Server) async {
        func takePending() -> (responder: any Responder, configuration: ServerConfiguration)? {
            state.withLock { state in
                if state.pending == nil { state.server = server }
                return state.pending.take()
            }
        }
        while let (responder, configuration) = takePending() { await server.reload(configuration, responder) }
    }

    func reload(_ responder: any Responder, _ configuration: ServerConfiguration) async {
        let server = state.withLock { state in
            if state.server == nil { state.pending = (responder, configuration) }
            return state.server
        }
        await server?.reload(configuration, responder)
    }
}
