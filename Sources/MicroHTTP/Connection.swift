import HTTPMessages
import ThreadExecutors
import Addresses
import CMicroHTTPD
import Glibc

/// A client's connection: assembles its requests, one after the other, and passes each to a worker.
///
/// Sendable because only its loop's thread uses it: libmicrohttpd calls back there, and the workers that respond are isolated to the
/// loop. Debug builds assert this.
final class Connection: StreamConnection, @unchecked Sendable {
    private enum Phase {
        /// There is no request, or its head is arriving.
        case head
        case body
        /// The connection discards the body, which is too large.
        case overflow
        case handling
        /// Its handler is running, and a part of its response is being sent.
        case streaming
        case sending
    }

    private let loop: EventLoop
    private let handle: OpaquePointer
    private var socket: Int32 { CMicroHTTPD_socket(handle) }
    private var phase = Phase.head
    /// Whether a request line has arrived, and libmicrohttpd has not reported the end of the request.
    private var isBusy = false
    /// Whether this is a TLS connection on which no request line has arrived yet, so that its handshake may not be complete.
    private(set) var mayBeHandshaking: Bool
    /// When the loop closes the connection, or responds for the handler, in milliseconds of the loop's clock.
    private(set) var deadline: UInt64

    /// Another request replaces it if code keeps it longer than its connection.
    private(set) var request: Request
    private let clientAddress: IPAddress?
    private let cache = ConnectionCache()
    /// Whether the client is a trusted proxy, which reports the address of its own client.
    private let isTrustedProxy: Bool
    private var permit: ConnectionLimit.Permit?
    /// The last accepted Host header that names a host: a client usually sends the same one again.
    private var acceptedHost: [UInt8] = []
    /// Finds the lines of a chunked body; `nil` for other bodies, and if the installed library hides the lines.
    private var chunkLines: ChunkLines?
    /// In bytes.
    private var bodyLimit = 0
    /// The number of bytes of a too large body that have arrived.
    private var discarded = 0
    private var closesAfterResponse = false
    private var lingers = false

    /// The number of the request, which distinguishes its response from late responses to earlier requests.
    private(set) var generation = 0
    private(set) var worker: Worker?
    /// Whether the handler has no deadline.
    private var isWaiting = false
    /// Whether the loop has closed the connection, which libmicrohttpd may not have noticed.
    private var isClosed = false
    private var isSuspended = false
    private var response: Response?
    private var isAccepted = false
    /// The response that is being sent, if it can be reused afterwards.
    private var sent: ResponsePool.Reusable?

    /// The response that is sent while the handler runs, from its preparation to the end of the request.
    private var stream: ResponseStream?
    /// Whether libmicrohttpd has not received the head of a stream that has started.
    private var owesHead = false
    /// When to write the stream's `keepAlive`, in milliseconds of the loop's clock.
    private var keepAliveTime: UInt64 = 0
    /// Whether the client has stopped sending, and the server has written to find out whether it still receives.
    private var hasProbed = false
    private var isWatched = false
    /// Whether the client understands interim responses, which HTTP/1.0 does not have.
    private var acceptsInterimResponses = false

    /// The certificate that the TLS client received. It must outlive the connection.
    private var identity: TLSIdentity?

    /// When the connection began to wait for a request, or for the client to receive a response, in milliseconds of the loop's clock.
    private var lastTurn: UInt64

    /// The connection's position in the loop's list.
    var index = 0
    /// Whether the connection was opened when each response closes its connection.
    private let isLate: Bool
    /// In which sweeps the loop checks whether the client has disconnected.
    private let turn: Int

    init(handle: OpaquePointer, loop: EventLoop, permit: ConnectionLimit.Permit?) {
        self.handle = handle
        self.loop = loop
        self.permit = permit
        clientAddress = CMicroHTTPD_client_address(handle).flatMap { IPAddress($0) }
        isTrustedProxy = loop.trustedProxies.contains(peer: clientAddress)
        var content = Request.Content()
        content.clientAddress = clientAddress
        content.connectionCache = cache
        content.isForwarded = isTrustedProxy
        content.eventLoop = loop.number
        request = Request(content)
        deadline = loop.now + loop.timeouts.idle + loop.timeouts.head
        lastTurn = loop.now
        turn = loop.nextTurn()
        isLate = loop.closesConnections
        mayBeHandshaking = loop.identity != nil
        // Until the connection is closed.
        cache.connection = self
    }

    // MARK: Receiving

    /// Returns the certificate and key for a TLS client that has begun its handshake.
    func chooseIdentity() -> TLSIdentity? {
        identity = loop.identity
        return identity
    }

    func receivedTarget(_ target: UnsafePointer<CChar>) {
        request.content.target = String(cString: target)
        CMicroHTTPD_hide_query(target)
        isBusy = true
        loop.newest = self
        if mayBeHandshaking {
            mayBeHandshaking = false
            loop.handshakes -= 1
        }
        deadline = min(deadline, loop.now + loop.timeouts.head)
    }

    /// libmicrohttpd's handler. It is called for the head, for each part of the body, for the end of the body, and when the connection is
    /// resumed. `false` closes the connection.
    func handle(
        url: UnsafePointer<CChar>,
        method: UnsafePointer<CChar>,
        version: UnsafePointer<CChar>,
        part: UnsafeRawBufferPointer
    ) -> Bool {
        loop.assertOnThread()
        switch phase {
        case .head:
            return receivedHead(ReceivedHead(handle: handle, url: url, method: method, version: version))
        case .body where !part.isEmpty:
            if let rejection = rejection(ofChunkWith: part) { return respondDirectly(rejection) }
            return receivedPart(part)
        case .overflow where !part.isEmpty:
            if let rejection = rejection(ofChunkWith: part) { return respondDirectly(rejection) }
            discarded += part.count
            return discarded <= 4 * bodyLimit || respondDirectly(.bodyTooLarge(limit: bodyLimit))
        case .body:
            return startHandler()
        case .overflow:
            return send(.bodyTooLarge(limit: bodyLimit))
        case .handling:
            CMicroHTTPD_set_idle_timeout(handle, loop.idleSeconds)
            guard let response = response.take() else { return false }
            return send(response)
        case .streaming, .sending:
            return !owesHead || sendStream()
        }
    }

    private func receivedHead(_ received: ReceivedHead) -> Bool {
        request.content.headers.removeAll()
        bodyLimit = loop.limits.body
        let head = RequestHead(received, isStrict: loop.library.isStrict, into: &request.content)
        if isTrustedProxy {
            request.content.clientAddress = loop.trustedProxies.client(behind: clientAddress, request.headers)
        }
        acceptsInterimResponses = head.version == .http11
        let framing: RequestHead.Framing
        do throws(RequestRejection) {
            let isHostKnown = isHostKnown(in: head.headers)
            framing = try head.framing(limits: loop.limits, isHostKnown: isHostKnown)
            guard received.fits(in: loop.limits.headMemory, head.headers) else {
                throw .headersTooLarge(limit: loop.limits.headers)
            }
            if !isHostKnown { try checkHost(of: head) }
        } catch {
            // Not through libmicrohttpd, whose memory may be full: then it would close the connection without a response.
            return respondDirectly(error, hasBody: request.method != .head)
        }
        if request.target.utf8.first != UInt8(ascii: "/") { request.content.target = head.pathAndQuery }
        return expectBody(framing, after: received)
    }

    private func expectBody(_ framing: RequestHead.Framing, after head: ReceivedHead) -> Bool {
        phase = .body
        switch framing {
        case .length(let length):
            request.content.body.reserveCapacity(length)
            deadline = loop.now + loop.timeouts.body
        case .chunked:
            // 0.9 accepts malformed chunk lines, and 1.0.1 misreads extensions: do not trust what follows such a body.
            closesAfterResponse = true
            if !loop.library.isStrict, let start = head.bytes.baseAddress {
                chunkLines = ChunkLines(start: start + head.bytes.count)
            }
            deadline = loop.now + loop.timeouts.body
        case .none:
            // 0.9 would ask the client for a body although there is none, and read the next request as the body.
            guard !loop.library.isStrict, request.headers.count(of: .expect) > 0 else { return true }
            closesAfterResponse = true
            return startHandler()
        }
        return true
    }

    /// Whether a head has the last accepted Host header that names a host.
    private func isHostKnown(in headers: Headers) -> Bool {
        headers.withFirst(.host) { host in
            guard let start = host.baseAddress, !host.isEmpty, host.count == acceptedHost.count else { return false }
            return memcmp(start, acceptedHost, host.count) == 0
        } ?? false
    }

    /// Accepts any host from a trusted proxy, which has checked the host or sends its own. Accepts any host over a Unix domain socket,
    /// and any request that names no host, because no browser sends such requests.
    private func checkHost(of head: RequestHead) throws(RequestRejection) {
        guard let host = head.host, !Authority.hasNoHost(host) else { return }
        if let hosts = loop.hosts, !isTrustedProxy, clientAddress != nil, !hosts.contains(authority: host) {
            throw .misdirectedRequest(host: String(decoding: host, as: UTF8.self))
        }
        acceptedHost = Array(host)
    }

    /// Checks the host of the next request even if it is the last accepted one, because other hosts are allowed now.
    func forgetHost() {
        acceptedHost = []
    }

    private func receivedPart(_ part: UnsafeRawBufferPointer) -> Bool {
        if request.body.count + part.count > bodyLimit {
            discarded = request.body.count + part.count
            request.content.body = []
            phase = .overflow
        } else {
            request.content.body.append(contentsOf: part)
        }
        return true
    }

    /// Why the server rejects a chunk that begins with that part; `nil` if it accepts the chunk, or cannot find its line.
    private func rejection(ofChunkWith part: UnsafeRawBufferPointer) -> RequestRejection? {
        if loop.library.isStrict, part.beginsWithinItsLine {
            return .malformedRequest("This server does not accept extensions of chunks.")
        }
        do throws(ChunkLine.Fault) {
            guard let line = try chunkLines?.line(before: part, read: loop.runs) else { return nil }
            let room = UInt64(max(0, bodyLimit - request.body.count))
            return line.size > room ? .bodyTooLarge(limit: bodyLimit) : nil
        } catch {
            if error == .tooLarge { return .bodyTooLarge(limit: bodyLimit) }
            return .malformedRequest(
                "The line before a chunk must be a size in hexadecimal digits, and perhaps extensions."
            )
        }
    }

    // MARK: Responding

    private func startHandler() -> Bool {
        if loop.isEnding { return send(.stopping) }
        phase = .handling
        deadline = loop.now + loop.timeouts.response
        let worker = loop.takeWorker()
        self.worker = worker
        worker.handleRequest(of: self)
        if phase != .handling { return isAccepted }
        isSuspended = true
        // libmicrohttpd reads from a resumed connection before it responds, and closes the connection if the client has stopped sending.
        // If the connection has its own timeout, even 0, libmicrohttpd responds first.
        CMicroHTTPD_set_idle_timeout(handle, 0)
        MHD_suspend_connection(handle)
        loop.watch(self, socket: socket)
        isWatched = true
        return true
    }

    private func unwatch() {
        guard isWatched else { return }
        isWatched = false
        loop.unwatch(socket: socket)
    }

    /// Takes the handler's response, unless it is too late, and sends it. A suspended connection sends it after libmicrohttpd has resumed it.
    func deliver(_ response: consuming Response, generation: Int) {
        loop.assertOnThread()
        if response.status == Response.streamGoesOn {
            if generation == self.generation { worker = nil }
            return
        }
        guard phase == .handling, generation == self.generation, self.response == nil else {
            return endStream(with: response.body, generation: generation)
        }
        worker = nil
        guard isSuspended else {
            isAccepted = send(response)
            return
        }
        self.response = response
        isSuspended = false
        unwatch()
        MHD_resume_connection(handle)
    }

    private func send(_ rejection: RequestRejection) -> Bool { send(loop.responder.reject(rejection, of: request)) }

    /// Responds without libmicrohttpd, which accepts no response in the middle of a body, and needs memory for it. Returns `false`, so that the
    /// connection is closed.
    private func respondDirectly(_ rejection: RequestRejection, hasBody: Bool = true) -> Bool {
        phase = .sending
        lingers = true
        let message = loop.responder.reject(rejection, of: request).message(hasBody: hasBody)
        CMicroHTTPD_send_directly(handle, message, message.count)
        return false
    }

    /// libmicrohttpd is about to respond by itself with that status. Returns `false` if libmicrohttpd is processing another connection, or may be.
    func respondForLibrary(status: Int) -> Bool {
        guard phase == .head, isBusy, CMicroHTTPD_rejects_head(handle) else { return false }
        request.content.headers.removeAll()
        request.content.headers.read(from: handle)
        request.content.acceptID()
        request.content.clientAddress = clientAddress
        _ = respondDirectly(RequestRejection(libraryStatus: status, of: request, limits: loop.limits))
        // Discards what libmicrohttpd writes.
        shutdown(socket, Int32(SHUT_WR))
        return true
    }

    private func send(_ response: Response) -> Bool {
        phase = .sending
        lastTurn = loop.now
        deadline = loop.now + loop.timeouts.receive
        if !closesAfterResponse, !loop.closesConnections, let sent = loop.responses.take(for: response) {
            self.sent = sent
            return CMicroHTTPD_respond(handle, UInt32(clamping: response.status), sent.response)
        }
        return sendOnce(response)
    }

    private func sendOnce(_ response: Response) -> Bool {
        guard response.body.count <= LargeBody.partSize else { return sendInParts(response) }
        let once = response.body.withUnsafeBytes { CMicroHTTPD_response($0.baseAddress, $0.count) }
        return once.map { respond($0, head: response) } ?? false
    }

    /// Sends a large response without a copy of it, so that many clients that read slowly take no more memory than few.
    private func sendInParts(_ response: Response) -> Bool {
        let context = Unmanaged.passRetained(LargeBody(response.body, of: self))
        let size = UInt64(response.body.count)
        guard let parts = CMicroHTTPD_read_response(size, LargeBody.partSize, readPart, releaseBody, context.toOpaque())
        else {
            context.release()
            return false
        }
        return respond(parts, head: response)
    }

    /// Called when the client has received all but a part of what was sent before.
    func clientReceives() {
        lastTurn = loop.now
        deadline = loop.now + loop.timeouts.receive
    }

    private func respond(_ response: OpaquePointer, head: Response) -> Bool {
        defer { MHD_destroy_response(response) }
        response.add(head.fields)
        if closesAfterResponse || loop.closesConnections { _ = CMicroHTTPD_add_header(response, "Connection", "close") }
        return CMicroHTTPD_respond(handle, UInt32(clamping: head.status), response)
    }

    // MARK: Waiting

    func letHandlerWait(requestNumber: Int) {
        loop.executor.submit {
            guard requestNumber == self.generation, self.phase == .handling || self.phase == .streaming else { return }
            self.isWaiting = true
            self.deadline = .max
            self.peerChanged()
        }
    }

    // MARK: Streaming

    func signal(_ stream: ResponseStream) { loop.executor.submit { self.advance(stream) } }

    var hasStream: Bool { stream != nil }

    /// Sends what has been written to a stream, unless its request has ended or has another response.
    private func advance(_ stream: ResponseStream) {
        loop.assertOnThread()
        stream.signalArrived()
        guard stream.requestNumber == generation else { return stream.abandon() }
        if phase == .handling, response == nil {
            if self.stream == nil { keepAliveTime = loop.now + loop.timeouts.keepAlive }
            self.stream = stream
            guard stream.start() else { return }
            owesHead = true
            phase = .streaming
            unwatch()
        }
        resumeStream()
    }

    func endStream(_ stream: ResponseStream, with rest: [UInt8]) {
        loop.executor.submit { self.endStream(with: rest, generation: stream.requestNumber) }
    }

    /// Ends the stream with the rest of its body, if its handler is that of the current request.
    private func endStream(with rest: [UInt8], generation: Int) {
        guard phase == .streaming, generation == self.generation else { return }
        worker = nil
        phase = .sending
        deadline = loop.now + loop.timeouts.receive
        stream?.finish(rest)
        resumeStream()
    }

    private func resumeStream() {
        guard stream != nil, phase != .handling, isSuspended else { return }
        isSuspended = false
        MHD_resume_connection(handle)
    }

    // libmicrohttpd's reader has read everything that has been written.
    func suspendStream() {
        loop.assertOnThread()
        isSuspended = true
        keepAliveTime = loop.now + loop.timeouts.keepAlive
        MHD_suspend_connection(handle)
    }

    private func sendStream() -> Bool {
        owesHead = false
        guard let stream else { return false }
        CMicroHTTPD_set_idle_timeout(handle, loop.idleSeconds)
        let context = Unmanaged.passRetained(stream)
        guard let response = CMicroHTTPD_streamed_response(readStream, releaseBody, context.toOpaque()) else {
            context.release()
            return false
        }
        var head = stream.head
        loop.responder.prepareStream(&head, of: request)
        return respond(response, head: head)
    }

    private func forgetStream() {
        stream.take()?.abandon()
        owesHead = false
    }

    /// Writes to a stream that waits for its handler, so that neither the client nor a proxy gives up.
    func keepStreamAlive() {
        guard let stream, isSuspended, loop.now >= keepAliveTime else { return }
        keepAliveTime = loop.now + loop.timeouts.keepAlive
        stream.write(stream.keepAlive)
    }

    /// Called when the client has stopped sending, or has disconnected, while the handler waits.
    func peerChanged() {
        guard phase == .handling, isSuspended else { return }
        switch peerState {
        case .open: break
        case _ where isWaiting:
            // A client that has only stopped sending gets its response now.
            isWaiting = false
            worker?.cancel()
        case .stoppedSending: probe()
        case .disconnected: worker?.abandon()
        }
    }

    /// Finds out whether a client that has stopped sending still receives. If not, its system rejects the interim response, and
    /// ``peerChanged()`` is called again.
    private func probe() {
        // A stopping server has stopped reading itself, which looks the same.
        guard acceptsInterimResponses, !hasProbed, !loop.isDraining else { return }
        hasProbed = true
        // Of all interim responses, clients ignore this one most likely, also those that expect none.
        let bytes = Array("HTTP/1.1 100 Continue\r\n\r\n".utf8)
        CMicroHTTPD_send_directly(handle, bytes, bytes.count)
    }

    /// Ends a stream that waits for its handler if the client has disconnected, which libmicrohttpd does not notice meanwhile.
    private func endIfPeerDisconnected() {
        guard let stream, phase == .streaming, isSuspended else { return }
        switch peerState {
        case .open: break
        case .stoppedSending where hasProbed: break
        case .stoppedSending:
            hasProbed = true
            stream.write(stream.keepAlive)
        case .disconnected: close()
        }
    }

    private enum PeerState {
        case open, stoppedSending, disconnected
    }

    private var peerState: PeerState {
        var descriptor = pollfd(fd: socket, events: Int16(CMicroHTTPD_POLLRDHUP), revents: 0)
        guard poll(&descriptor, 1, 0) > 0 else { return .open }
        return Int32(descriptor.revents) & (POLLERR | POLLHUP) == 0 ? .stoppedSending : .disconnected
    }

    // MARK: Ending

    /// Called when the request has ended: its response has been sent, the connection has failed, or libmicrohttpd has rejected it.
    func requestCompleted() {
        loop.assertOnThread()
        generation &+= 1
        if !isKnownUniquelyReferenced(&request) { request = Request(request.content) }
        request.content.number = generation
        // Its stream has no other end.
        if isWaiting { worker?.cancel() }
        isWaiting = false
        hasProbed = false
        unwatch()
        worker = nil
        response = nil
        if let sent = sent.take() { loop.responses.put(sent) }
        if stream != nil { forgetStream() }
        request.content.removeBody()
        discarded = 0
        chunkLines = nil
        isBusy = false
        phase = .head
        lastTurn = loop.now
        deadline = loop.now + loop.timeouts.idle + loop.timeouts.head
        if loop.isDraining { stopReading() }
    }

    /// Called when the deadline has passed. Responds for the handler if it is running, otherwise closes the connection.
    func expire() {
        if phase == .handling || phase == .streaming {
            respondForHandler(.responseTimeout)
        } else {
            close()
        }
    }

    /// Closes the connection without a response. libmicrohttpd notices this in its next run.
    func close() {
        shutdown(socket, Int32(SHUT_RDWR))
        deadline = .max
        isClosed = true
        guard phase == .streaming else { return }
        // Ends the body, which cannot be sent. If the reader reported an error, 0.9 would keep the connection: it expects a further event of
        // the socket, which never comes.
        stream?.abandon()
        resumeStream()
    }

    /// Whether no request has arrived, or only a part of its head.
    var waitsForHead: Bool { phase == .head }

    /// Since when the connection waits for its client, or its handler for something that may never happen, in milliseconds of the loop's
    /// clock; `nil` while its handler is running, and once it is closed.
    var waitingStart: UInt64? {
        guard !isClosed else { return nil }
        return switch phase {
        case .handling, .streaming: isWaiting ? lastTurn : nil
        case .head, .body, .overflow, .sending: lastTurn
        }
    }

    /// Does what need not be done in every sweep: to check thousands of sockets takes milliseconds.
    func checkPeer(sweep: Int) {
        guard (turn ^ sweep) & 3 == 0 else { return }
        closeIfPeerClosed()
        endIfPeerDisconnected()
    }

    /// Closes the connection if it waits for a request, or for the rest of one, and the client has stopped sending.
    ///
    /// libmicrohttpd overlooks the end of the client's bytes if it arrives together with some of them.
    private func closeIfPeerClosed() {
        switch phase {
        case .head, .body, .overflow: break
        case .handling, .streaming, .sending: return
        }
        var byte: UInt8 = 0
        if recv(socket, &byte, 1, Int32(MSG_PEEK | MSG_DONTWAIT)) == 0 { shutdown(socket, Int32(SHUT_RDWR)) }
    }

    /// Sends the rejection instead of the handler's response, or of the rest of it.
    func respondForHandler(_ rejection: RequestRejection) {
        loop.assertOnThread()
        guard phase == .handling || phase == .streaming else { return }
        worker?.cancel()
        closesAfterResponse = true
        let response = loop.responder.reject(rejection, of: request)
        if phase == .streaming, let stream {
            endStream(with: stream.ending(response), generation: generation)
        } else {
            deliver(response, generation: generation)
        }
    }

    /// Stops reading. Requests that have already arrived get their responses.
    func stopReading() { shutdown(socket, Int32(SHUT_RD)) }

    /// Stops reading, unless the client has connected while each response closes its connection: its request is on its way.
    func stopReadingUnlessLate() {
        guard isLate else { return stopReading() }
        deadline = min(deadline, lastTurn + loop.timeouts.head)
    }

    /// Called before the socket is closed.
    ///
    /// If the client still sends, closing would reset the connection, and the client could lose the response. So the loop continues to read
    /// for up to two seconds.
    func closed() {
        unwatch()
        if lingers { loop.linger(fcntl(socket, F_DUPFD_CLOEXEC, 0), permit: permit) }
        permit = nil
        cache.connection = nil
    }
}
