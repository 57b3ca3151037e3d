import Synchronization

package protocol StreamConnection: AnyObject, Sendable {
    /// Makes the event loop look at the stream. Any thread may call this.
    func signal(_ stream: ResponseStream)
    /// Suspends sending until there is more to send. Called on the event loop.
    func suspendStream()
    /// Ends a stream that has stayed open after its handler. Any thread may call this.
    func endStream(_ stream: ResponseStream, with rest: [UInt8])
    /// Lets the handler of a request wait as long as it wants. Any thread may call this.
    func letHandlerWait(requestNumber: Int)
}

/// A response that the server sends while its handler is still running.
///
/// The handler creates it, writes parts of the body, and then returns the rest of the body. A part is stored until the connection can send it,
/// so that a handler never waits for its client.
///
/// Any thread may use it.
public final class ResponseStream: Sendable {
    private enum Progress {
        /// It has sent nothing, and may still send another response.
        case waiting
        case started
        case ended
        /// The request has ended, so that no part can be sent any more.
        case abandoned
    }

    private struct State {
        var progress = Progress.waiting
        /// The bytes before `start` have been sent.
        var bytes: [UInt8] = []
        var start = 0
        var isSignalled = false
    }

    package enum Reading: Equatable {
        case bytes(Int)
        case nothing
        case end
    }

    /// The head, without the fields that the server adds.
    package let head: Response
    /// What the server writes if nothing has been sent for a while.
    package let keepAlive: [UInt8]
    /// The rest of the body if the server rejects the request while its handler runs.
    package let ending: @Sendable (Response) -> [UInt8]
    package let requestNumber: Int
    private let connection: any StreamConnection
    private let capacity: Int
    private let onEnd: @Sendable () -> Void
    private let state = Mutex(State())

    /// Prepares a response that the server sends while the handler is still running. Create one at most, while the handler runs.
    ///
    /// The body of the response is chunked. A client of HTTP/1.0 receives it up to the end of the connection.
    ///
    /// - Parameters:
    ///   - head: the response without its body, with all its header fields.
    ///   - request: the request of the handler.
    ///   - capacity: the maximum number of bytes that wait for the client, without the body that the handler returns.
    ///   - keepAlive: the part that the server writes when it has sent nothing for ``/MicroHTTP/ServerConfiguration/keepAliveInterval``,
    ///     and to find out whether a client that sends nothing more has disconnected. The server sends the head before, if necessary.
    ///   - ending: the rest of the body if the handler takes too long, or the server stops. It receives the result of
    ///     ``Responder/reject(_:of:)``, and runs on the event loop, which it must not block.
    ///   - onEnd: called on the event loop when the request has ended, also because the client has disconnected. It must not block it.
    /// - Returns: `nil` if the method is HEAD, the request did not come over a connection of a ``/MicroHTTP/Server``, or the client has
    ///   disconnected. Then return a complete response.
    public init?(
        _ head: Response,
        to request: Request,
        capacity: Int,
        keepAlive: [UInt8],
        ending: @escaping @Sendable (Response) -> [UInt8],
        onEnd: @escaping @Sendable () -> Void = {}
    ) {
        // After the head of a response to HEAD, libmicrohttpd 0.9 would send the end of a chunked body.
        guard request.method != .head, let connection = request.connectionCache?.connection else { return nil }
        self.onEnd = onEnd
        self.head = head
        requestNumber = request.number
        self.connection = connection
        self.capacity = capacity
        self.keepAlive = keepAlive
        self.ending = ending
        signal()
    }

    // MARK: From any thread

    /// Writes a part of the body. The server sends the head before the first part.
    ///
    /// - Returns: `false` if nothing has been written, because the client has not received enough of the parts before, has disconnected,
    ///   or the stream has ended. The handler can go on in any case.
    @discardableResult
    public func write(_ part: [UInt8]) -> Bool {
        let isWritten = state.withLock { state in
            guard state.progress == .waiting || state.progress == .started,
                state.bytes.count - state.start + part.count <= capacity
            else { return false }
            state.bytes += part
            return true
        }
        if isWritten { signal() }
        return isWritten
    }

    /// Ends the stream. Further parts are not written.
    ///
    /// - Returns: whether the server has sent the head, or does so now. Then it sends the body of the handler's response after the parts,
    ///   and ignores the rest of that response. If not, it ignores the parts, and sends the handler's response as usual.
    public func end() -> Bool {
        state.withLock { state in
            if state.progress == .waiting { state.progress = .ended }
            return state.progress != .ended
        }
    }

    /// Whether no part can be sent any more: the client has disconnected, or the stream has ended.
    package var hasEnded: Bool { state.withLock { $0.progress == .ended || $0.progress == .abandoned } }

    /// Ends a stream that has stayed open after its handler; see ``Response/streamGoesOn``.
    package func finish(with rest: [UInt8]) { connection.endStream(self, with: rest) }

    private func signal() {
        let isFirst = state.withLock { !exchange(&$0.isSignalled, with: true) }
        if isFirst { connection.signal(self) }
    }

    // MARK: On the event loop

    package func signalArrived() {
        state.withLock { $0.isSignalled = false }
    }

    /// The head can be sent once there is a part of the body. From then on, the handler's response only continues the body.
    package func start() -> Bool {
        state.withLock { state in
            guard state.progress == .waiting, !state.bytes.isEmpty else { return false }
            state.progress = .started
            return true
        }
    }

    /// Writes the last part, whatever its size.
    package func finish(_ rest: [UInt8]) {
        state.withLock { state in
            guard state.progress == .started else { return }
            state.progress = .ended
            state.bytes += rest
        }
    }

    /// The request has ended.
    package func abandon() {
        let isFirst = state.withLock { state in
            (state.bytes, state.start) = ([], 0)
            return exchange(&state.progress, with: .abandoned) != .abandoned
        }
        if isFirst { onEnd() }
    }

    package func read(into buffer: UnsafeMutableRawBufferPointer) -> Reading {
        state.withLock { state in
            let count = min(buffer.count, state.bytes.count - state.start)
            guard count > 0 else { return state.progress == .started ? .nothing : .end }
            state.bytes.withUnsafeBytes {
                buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[state.start..<state.start + count]))
            }
            state.start += count
            if state.start == state.bytes.count {
                (state.bytes, state.start) = ([], 0)
            } else if state.start > capacity {
                // A client that never reads everything must not make the server keep what it has read.
                state.bytes.removeFirst(exchange(&state.start, with: 0))
            }
            return .bytes(count)
        }
    }

    package func suspendConnection() { connection.suspendStream() }
}

extension Request {
    /// Lets the handler wait as long as it wants, for something that may never happen, or its stream go on.
    ///
    /// ``/MicroHTTP/ServerConfiguration/responseTimeout`` does not apply any more. If the client disconnects, or stops sending while the
    /// handler waits without a stream, the server cancels the handler's task, which must then return.
    public func letHandlerWait() { connectionCache?.connection?.letHandlerWait(requestNumber: number) }
}
