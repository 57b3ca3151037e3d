internal import Addresses
internal import CMicroHTTPD
internal import Glibc

/// A client's connection: assembles its requests, one after the other, and has them answered.
///
/// Sendable because only its loop's thread uses it, which debug builds assert: libmicrohttpd calls back there, and the workers that
/// respond are isolated to the loop.
final class Connection: @unchecked Sendable {
    /// What happens to the request that the connection is at.
    private enum Phase {
        /// There is none, or its head is still arriving.
        case head
        /// Its body is arriving.
        case body
        /// Its body is arriving but too large: it is thrown away.
        case overflow
        /// It is being answered.
        case answering
        /// Its answer is being sent.
        case sending
    }

    private let loop: EventLoop
    private let handle: OpaquePointer
    private var phase = Phase.head
    /// Whether a request's first line has arrived and the request is not over yet.
    private(set) var isBusy = false
    /// Whether this is a connection of TLS over which no request has begun to arrive yet.
    private(set) var isGreeting: Bool
    /// When the connection is cut, or its request answered for the handler; in the loop's milliseconds.
    private(set) var deadline: UInt64

    /// The request, as far as it has arrived.
    private var request: Request.Storage
    private let clientAddress: IPAddress?
    private let note = ConnectionCache()
    /// Whether the client is a proxy that is believed when it says whom it speaks for.
    private let isTrustedProxy: Bool
    /// Its permit among the connections of its address, where these are counted.
    private var permit: ConnectionLimit.Permit?
    /// The Host header that was accepted last: a client's requests usually have the same one.
    private var acceptedHost: [UInt8] = []
    /// What is known of a chunked body's lines; `nil` for other bodies, and if the installed library hides them.
    private var chunkLines: ChunkLines?
    private var discarded = 0
    private var closesAfterAnswer = false
    private var lingers = false

    /// Tells the answers of this request from late ones of an earlier request.
    private var generation = 0
    /// Where the handler runs, while it does.
    private var worker: Worker?
    private var isSuspended = false
    private var response: Response?
    /// What is being sent, where it can be used again afterwards.
    private var sent: ResponsePool.Reusable?

    /// What the client of TLS has been shown, which has to stay for as long as the connection does.
    private var identity: TLSIdentity?

    /// Where the connection stands in the loop's list.
    var index = 0

    init(handle: OpaquePointer, loop: EventLoop, permit: ConnectionLimit.Permit?) {
        self.handle = handle
        self.loop = loop
        self.permit = permit
        clientAddress = CMicroHTTPD_client_address(handle).flatMap { IPAddress($0) }
        isTrustedProxy = loop.trustedProxies.contains(peer: clientAddress)
        request = Request.Storage()
        request.clientAddress = clientAddress
        request.note = note
        request.isForwarded = isTrustedProxy
        deadline = loop.now + loop.timeouts.idle + loop.timeouts.head
        isGreeting = loop.identity != nil
    }

    // MARK: What arrives

    /// A client of TLS has said hello; what it is to be shown.
    func chooseIdentity() -> TLSIdentity? {
        identity = loop.identity
        return identity
    }

    /// A request's first line has arrived.
    func receivedTarget(_ target: String) {
        request.target = target
        isBusy = true
        loop.receivedTarget(of: self)
        if isGreeting {
            isGreeting = false
            loop.greeted()
        }
        deadline = min(deadline, loop.now + loop.timeouts.head)
    }

    /// libmicrohttpd's handler: the head has arrived, or a part of the body, or its end, or the connection has been
    /// resumed. `false` closes the connection.
    func handle(
        url: UnsafePointer<CChar>,
        method: UnsafePointer<CChar>,
        version: UnsafePointer<CChar>,
        part: UnsafeRawBufferPointer
    ) -> Bool {
        loop.executor.assertOnLoop()
        switch phase {
        case .head:
            let isStrict = loop.library.isStrict
            let head = RequestHead(
                of: handle,
                url: url,
                method: method,
                version: version,
                isStrict: isStrict,
                into: request
            )
            return receivedHead(head, end: UnsafeRawPointer(method) + CMicroHTTPD_head_size(handle))
        case .body where !part.isEmpty:
            if let rejection = rejection(ofChunkWith: part) { return answerDirectly(rejection) }
            return receivedPart(part)
        case .overflow where !part.isEmpty:
            if let rejection = rejection(ofChunkWith: part) { return answerDirectly(rejection) }
            discarded += part.count
            return discarded <= 4 * loop.limits.body || answerDirectly(.bodyTooLarge(limit: loop.limits.body))
        case .body:
            return startAnswer()
        case .overflow:
            return send(.bodyTooLarge(limit: loop.limits.body))
        case .answering:
            CMicroHTTPD_set_idle_timeout(handle, loop.idleSeconds)
            guard let response = response.take() else { return false }
            return send(response)
        case .sending:
            return true
        }
    }

    /// - Parameter end: where the head ended.
    private func receivedHead(_ head: RequestHead, end: UnsafeRawPointer) -> Bool {
        if isTrustedProxy {
            request.clientAddress = loop.trustedProxies.client(behind: clientAddress, request.headers)
        }
        request.id = request.headers.first(.xRequestID).flatMap(RequestID.accepted) ?? RequestID.next()
        let framing: RequestHead.Framing
        do throws(RequestRejection) {
            framing = try head.framing(limits: loop.limits)
            try checkHost(of: head)
        } catch {
            closesAfterAnswer = true
            lingers = true
            return send(error)
        }
        var answersAtOnce = false
        switch framing {
        case .length(let length):
            request.body.reserveCapacity(length)
            deadline = loop.now + loop.timeouts.body
        case .chunked:
            // 0.9 accepts malformed chunk lines, and 1.0.1 misreads extensions: do not trust what follows such a body.
            closesAfterAnswer = true
            if loop.library.hasChunkLayout { chunkLines = ChunkLines(start: end) }
            deadline = loop.now + loop.timeouts.body
        case .none:
            // 0.9 would ask for a body that there is not, and take the next request for it.
            answersAtOnce = !loop.library.isStrict && request.headers.count(of: .expect) > 0
            closesAfterAnswer = answersAtOnce
        }
        if request.target.utf8.first != UInt8(ascii: "/") { request.target = head.pathAndQuery }
        phase = .body
        return answersAtOnce ? startAnswer() : true
    }

    /// Checks that the server answers for the host that a head names.
    ///
    /// A trusted proxy has checked the host itself, or passes on its own. No browser connects to a Unix socket, or sends a request
    /// that names no host.
    private func checkHost(of head: RequestHead) throws(RequestRejection) {
        guard let hosts = loop.hosts, !isTrustedProxy, clientAddress != nil else { return }
        let isAccepted = head.headers.withFirst(.host) { host in
            guard let start = host.baseAddress, host.count == acceptedHost.count else { return false }
            return memcmp(start, acceptedHost, host.count) == 0
        }
        if isAccepted == true { return }
        guard let host = head.host, !Authority.hasNoHost(host) else { return }
        guard hosts.contains(authority: host) else {
            throw .misdirectedRequest(host: String(decoding: host, as: UTF8.self))
        }
        acceptedHost = Array(host)
    }

    private func receivedPart(_ part: UnsafeRawBufferPointer) -> Bool {
        if request.body.count + part.count > loop.limits.body {
            discarded = request.body.count + part.count
            request.body = []
            phase = .overflow
        } else {
            request.body.append(contentsOf: part)
        }
        return true
    }

    /// Why a chunk that begins with that part is refused; `nil` if it is not, or nothing is known of its line.
    private func rejection(ofChunkWith part: UnsafeRawBufferPointer) -> RequestRejection? {
        if loop.library.isStrict, part.beginsWithinItsLine {
            return .malformedRequest("This server does not accept extensions of chunks.")
        }
        do throws(ChunkLine.Fault) {
            guard let line = try chunkLines?.line(before: part, read: loop.runs) else { return nil }
            let room = UInt64(max(0, loop.limits.body - request.body.count))
            return line.size > room ? .bodyTooLarge(limit: loop.limits.body) : nil
        } catch {
            switch error {
            case .malformed: return .malformedRequest("The line before a chunk is not a size with extensions.")
            case .tooLarge: return .bodyTooLarge(limit: loop.limits.body)
            }
        }
    }

    // MARK: The answer

    private func startAnswer() -> Bool {
        if loop.isEnding { return send(.stopping) }
        let request = Request(request)
        phase = .answering
        deadline = loop.now + loop.timeouts.answer
        let worker = loop.takeWorker()
        worker.answer(request, for: self, generation: generation)
        if let response = response.take() { return send(response) }
        self.worker = worker
        isSuspended = true
        // libmicrohttpd reads from a resumed connection before it answers, and takes the end of what the client sends for the
        // end of the client; it answers one first whose timeout is its own.
        CMicroHTTPD_set_idle_timeout(handle, 0)
        MHD_suspend_connection(handle)
        return true
    }

    /// Takes the handler's answer, unless it comes too late.
    func deliver(_ response: consuming Response, generation: Int) {
        loop.executor.assertOnLoop()
        guard phase == .answering, generation == self.generation, self.response == nil else { return }
        self.response = response
        worker = nil
        if isSuspended {
            isSuspended = false
            MHD_resume_connection(handle)
        }
    }

    private func send(_ rejection: RequestRejection) -> Bool {
        send(loop.responder.reject(rejection, of: Request(request)))
    }

    /// Answers past libmicrohttpd, which takes no response in the middle of a body.
    ///
    /// - Returns: `false`, so that the connection is closed.
    private func answerDirectly(_ rejection: RequestRejection) -> Bool {
        phase = .sending
        lingers = true
        let message = loop.responder.reject(rejection, of: Request(request)).message
        CMicroHTTPD_send_directly(handle, message, message.count)
        return false
    }

    /// Answers a request that libmicrohttpd is about to answer by itself with that status. False if this is not the connection
    /// that it is at, as far as can be told.
    func answerForLibrary(status: Int) -> Bool {
        guard phase == .head, isBusy, CMicroHTTPD_rejects_head(handle) else { return false }
        request.readHeaders(of: handle)
        request.id = request.headers.first(.xRequestID).flatMap(RequestID.accepted) ?? RequestID.next()
        request.clientAddress = clientAddress
        _ = answerDirectly(RequestRejection(libraryStatus: status, of: request, limits: loop.limits))
        // What libmicrohttpd writes goes nowhere.
        shutdown(CMicroHTTPD_socket(handle), Int32(SHUT_WR))
        return true
    }

    private func send(_ response: Response) -> Bool {
        phase = .sending
        deadline = loop.now + loop.timeouts.receive
        if !closesAfterAnswer, !loop.isDraining, let sent = loop.responses.take(for: response) {
            self.sent = sent
            return CMicroHTTPD_answer(handle, UInt32(clamping: response.status), sent.response)
        }
        return sendOnce(response)
    }

    /// Sends an answer that is not like others.
    private func sendOnce(_ response: Response) -> Bool {
        let once = response.body.withUnsafeBytes { CMicroHTTPD_response($0.baseAddress, $0.count) }
        guard let once else { return false }
        defer { MHD_destroy_response(once) }
        once.add(response.fields)
        if closesAfterAnswer || loop.isDraining { _ = CMicroHTTPD_add_header(once, "Connection", "close") }
        return CMicroHTTPD_answer(handle, UInt32(clamping: response.status), once)
    }

    // MARK: What ends

    /// The request is over: answered, cut off or never understood.
    func requestCompleted() {
        loop.executor.assertOnLoop()
        generation &+= 1
        worker = nil
        response = nil
        if let sent {
            loop.responses.put(sent)
            self.sent = nil
        }
        if isKnownUniquelyReferenced(&request) {
            request.removeAll()
        } else {
            request = Request.Storage()
            request.clientAddress = clientAddress
            request.note = note
            request.isForwarded = isTrustedProxy
        }
        discarded = 0
        chunkLines = nil
        isBusy = false
        phase = .head
        deadline = loop.now + loop.timeouts.idle + loop.timeouts.head
        if loop.isDraining { stopReading() }
    }

    /// The deadline has passed: a handler that has not answered is answered for; any other wait is cut.
    func expire() {
        if phase == .answering {
            answerForHandler(.answerTimeout)
        } else {
            shutdown(CMicroHTTPD_socket(handle), Int32(SHUT_RDWR))
            deadline = .max
        }
    }

    /// Cuts the connection where a request is waited for, or the rest of one, and its client has said that nothing more will
    /// come: libmicrohttpd overlooks that if it arrives together with what came before.
    func closeIfPeerClosed() {
        switch phase {
        case .head, .body, .overflow: break
        case .answering, .sending: return
        }
        var byte: UInt8 = 0
        let socket = CMicroHTTPD_socket(handle)
        if recv(socket, &byte, 1, Int32(MSG_PEEK | MSG_DONTWAIT)) == 0 {
            shutdown(socket, Int32(SHUT_RDWR))
        }
    }

    /// Gives a request that is being answered the answer that its handler did not give.
    func answerForHandler(_ rejection: RequestRejection) {
        loop.executor.assertOnLoop()
        guard phase == .answering else { return }
        worker?.cancel()
        closesAfterAnswer = true
        deliver(loop.responder.reject(rejection, of: Request(request)), generation: generation)
    }

    /// Lets what has already arrived be answered, and nothing more.
    func stopReading() {
        shutdown(CMicroHTTPD_socket(handle), Int32(SHUT_RD))
    }

    /// Called before the socket is closed.
    ///
    /// Closing while the client still sends would reset the connection, and could take the answer away from it:
    /// the loop then keeps reading for a moment.
    func closed() {
        if lingers { loop.linger(fcntl(CMicroHTTPD_socket(handle), F_DUPFD_CLOEXEC, 0), permit: permit) }
        permit = nil
    }
}
