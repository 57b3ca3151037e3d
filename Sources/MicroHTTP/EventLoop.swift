internal import Addresses
internal import CMicroHTTPD
internal import Glibc
internal import Synchronization

/// One thread that drives one libmicrohttpd daemon, and runs the tasks that answer its requests.
///
/// libmicrohttpd's own epoll thread stalls when exactly a full batch of connections is ready at once; driven from
/// outside it does not.
final class EventLoop: @unchecked Sendable {
    // Sendable because all but constants and atomics is used on the loop's thread only, which debug builds assert.

    /// The configuration's durations in milliseconds.
    struct Timeouts {
        let idle, head, body, answer, receive: UInt64
    }

    let limits: RequestLimits
    let trustedProxies: TrustedProxies
    let responder: any Responder
    let timeouts: Timeouts
    /// How long a connection may stay silent, as libmicrohttpd counts it: in seconds, whose milliseconds have 32 bits.
    let idleSeconds: UInt32
    let responses: ResponsePool
    /// What the installed libmicrohttpd is like.
    let library: LibraryCheck

    private let connectionLimit: ConnectionLimit?
    /// The permit of a connection that has been accepted and is about to be opened.
    private var permit: ConnectionLimit.Permit?

    private let configuration: ServerConfiguration
    let executor: LoopExecutor
    /// What handlers are isolated to.
    let isolation: LoopExecutor.Isolation
    private let ended = CompletionSignal()

    private var daemon: OpaquePointer?
    /// Whether somebody else goes on listening on the loop's socket when the loop has ended.
    private var isHandedOver = false
    /// When the turn has begun that the loop is at, in milliseconds; 0 while it waits for something to do.
    private let turn = Atomic<UInt64>(0)
    /// The hosts for which requests may be; `nil` for all.
    private(set) var hosts: AllowedHosts?
    private var connections: [Connection] = []
    /// Whether a connection has gone since the loop last waited.
    private var hasRemoved = false
    private let lingering = LingeringSockets()
    /// How many connections of TLS have not sent a request yet.
    private var greetings = 0
    /// How many turns in a row nothing has arrived.
    private var quietTurns: Int32 = 0
    /// Those that have nothing to do. The one that had something last is used next: its memory is at hand.
    private var idleWorkers: [Worker] = []
    /// The connection whose request line arrived last.
    private var newest: Connection?
    /// The statuses that libmicrohttpd has answered by itself and the responder has not heard of.
    private var rejections: [Int] = []
    /// How many times the daemon has run. In one run it reads at most once from each connection.
    private(set) var runs: UInt64 = 0
    private var nextSweep: UInt64 = 0
    private var sweeps = 0
    private var drainDeadline: UInt64?
    /// What others may know of the loop.
    let figures = LoopFigures()
    private let heldLoopThreshold: UInt64
    /// Whether no request may be handed to a handler any more.
    private(set) var isEnding = false

    /// Milliseconds of a clock that only goes forward, read once a turn.
    private(set) var now: UInt64 = EventLoop.milliseconds

    /// Milliseconds between two looks at the deadlines.
    private static let sweepInterval: UInt64 = 250
    private static let maximumIdleWorkers = 64
    /// How many bytes have to be left for a connection to be admitted.
    private static let reserve = 8 << 20

    /// - Parameter connectionLimit: counts the connections, those of other loops too.
    init(
        configuration: ServerConfiguration,
        responder: any Responder,
        connectionLimit: ConnectionLimit?
    ) throws(ServerError) {
        library = try LibraryCheck.installed()
        self.configuration = configuration
        self.connectionLimit = connectionLimit
        limits = RequestLimits(configuration)
        trustedProxies = configuration.trustedProxies
        self.responder = responder
        timeouts = Timeouts(
            idle: configuration.idleTimeout.milliseconds,
            head: configuration.headTimeout.milliseconds,
            body: configuration.bodyTimeout.milliseconds,
            answer: configuration.answerTimeout.milliseconds,
            receive: configuration.receiveTimeout.milliseconds
        )
        heldLoopThreshold = max(1, configuration.heldLoopThreshold.milliseconds)
        idleSeconds = UInt32(min(max(1, (timeouts.idle + 999) / 1000), UInt64(UInt32.max / 1000)))
        responses = ResponsePool(overwritesHeaders: library.ownsHeaderValues)
        executor = try LoopExecutor()
        isolation = LoopExecutor.Isolation(executor)
    }

    /// What the server shows to clients of TLS now.
    var identity: TLSIdentity? { configuration.credentials?.identity }

    /// Whether no new connections are accepted any more.
    var isDraining: Bool { drainDeadline != nil }

    // MARK: From other threads

    /// Starts the loop's thread, which keeps the loop alive until it has ended.
    ///
    /// - Parameters:
    ///   - listener: a listening socket, which is the loop's from here on unless this throws.
    ///   - isHandedOver: whether somebody else goes on listening on it when the loop has ended.
    ///   - hosts: those for which requests may be; `nil` for all.
    func start(listener: Int32, isHandedOver: Bool, hosts: AllowedHosts?) throws(ServerError) {
        self.hosts = hosts
        self.isHandedOver = isHandedOver
        let loop = Unmanaged.passRetained(self)
        var callbacks = daemonCallbacks()
        daemon = CMicroHTTPD_start(
            listener,
            &callbacks,
            loop.toOpaque(),
            configuration.credentials != nil,
            configuration.connectionMemory,
            UInt32(clamping: max(1, configuration.maximumConnections / configuration.loops)),
            idleSeconds
        )
        guard daemon != nil else {
            loop.release()
            throw .cannotStart(reason: lastError())
        }
        var thread = pthread_t()
        let failure = pthread_create(&thread, nil, runEventLoop, loop.toOpaque())
        guard failure == 0 else {
            MHD_quiesce_daemon(daemon)
            MHD_stop_daemon(daemon)
            loop.release()
            throw .cannotStart(reason: String(cString: strerror(failure)))
        }
        pthread_detach(thread)
    }

    /// Whether the loop has not been at one turn for longer than that many milliseconds.
    func isResponsive(within limit: UInt64) -> Bool {
        let begin = turn.load(ordering: .relaxed)
        return begin == 0 || EventLoop.milliseconds <= begin + limit
    }

    /// Stops without answering anybody, and without waiting for that.
    func stopAtOnce() {
        executor.submit { self.drain(until: self.now) }
    }

    /// Stops accepting, and ends when what was accepted has been answered, at the latest after `timeout`.
    func stop(within timeout: Duration) async {
        executor.submit { self.drain(until: self.now + timeout.milliseconds) }
        await ended.wait()
    }

    // MARK: On the loop's thread

    fileprivate func run() {
        executor.begin()
        while !isFinished {
            now = EventLoop.milliseconds
            turn.store(now, ordering: .relaxed)
            executor.takeQueue()
            executor.runJobs { watch(nil, $0) }
            runDaemon()
            if now >= nextSweep { sweep() }
            figures.note(turn: EventLoop.milliseconds - now, connections: connections.count)
            wait()
        }
        end()
    }

    private func runDaemon() {
        runs &+= 1
        CMicroHTTPD_run(daemon)
        newest = nil
        guard !rejections.isEmpty else { return }
        let statuses = rejections
        rejections = []
        for status in statuses {
            _ = responder.reject(RequestRejection(libraryStatus: status, limits: limits), of: Request(.get, ""))
        }
    }

    private var isFinished: Bool {
        guard let drainDeadline else { return false }
        return connections.isEmpty || now >= drainDeadline
    }

    /// Does some of a handler's work, and tells the responder where it takes too long.
    func watch(_ request: Request?, _ body: () -> Void) {
        let start = EventLoop.milliseconds
        body()
        let held = EventLoop.milliseconds - start
        if held >= heldLoopThreshold { responder.loopWasHeld(by: request, for: .milliseconds(held)) }
    }

    private func wait() {
        guard !executor.hasJobs else { return }
        // libmicrohttpd stops accepting when there are no descriptors left, and looks in its next run whether there are.
        if hasRemoved {
            hasRemoved = false
            return
        }
        let isQuiet = connections.isEmpty && lingering.isEmpty
        let limit: UInt64 = isDraining ? 10 : isQuiet ? 60_000 : Self.sweepInterval
        var timeout = CMicroHTTPD_timeout(daemon, Int32(limit))
        // libmicrohttpd wants to go on at once while a handshake is under way, also where it waits for its client.
        if timeout == 0, greetings > 0 { timeout = min(max(1, quietTurns - 10), 50) }
        guard timeout > 0 else { return }
        var descriptors = (
            pollfd(fd: CMicroHTTPD_epoll_descriptor(daemon), events: Int16(POLLIN), revents: 0),
            pollfd(fd: executor.wakeup, events: Int16(POLLIN), revents: 0)
        )
        turn.store(0, ordering: .relaxed)
        let ready = withUnsafeMutableBytes(of: &descriptors) {
            poll($0.assumingMemoryBound(to: pollfd.self).baseAddress, 2, timeout)
        }
        quietTurns = ready == 0 ? min(quietTurns + 1, 1000) : 0
    }

    /// Looks for connections whose deadline has passed.
    private func sweep() {
        nextSweep = now + Self.sweepInterval
        sweeps &+= 1
        for connection in connections {
            if connection.deadline <= now { connection.expire() }
            // A quarter of them each time: asking thousands takes milliseconds.
            if connection.index & 3 == sweeps & 3 { connection.closeIfPeerClosed() }
        }
        lingering.sweep(now: now)
    }

    /// A request's first line has arrived.
    func receivedTarget(of connection: Connection) {
        newest = connection
    }

    /// libmicrohttpd is about to answer a request by itself. Its response is bare: it drops any other before it makes it, and sends
    /// it before it calls back again.
    ///
    /// It does not say which connection that is, so that the responder is told for its log and its metrics alone, and its response
    /// is dropped. Only if the whole head has been read, and it arrived in one piece, is the connection known. The server answers
    /// that one first, also since 0.9 would send the header section of its response twice. In 0.9, a Content-Length counts as wrong
    /// if white space follows the number, which is valid (RFC 9110, section 5.5): between the request line and this check, it calls
    /// no code that could remove the space.
    func libraryRejects(status: Int) {
        if let newest, newest.answerForLibrary(status: status) { return }
        rejections.append(status)
    }

    /// A worker that has nothing to do.
    func takeWorker() -> Worker {
        executor.assertOnLoop()
        return idleWorkers.popLast() ?? Worker(loop: self)
    }

    /// Keeps a worker that has done its work. False where it is not wanted any more.
    func putBack(_ worker: Worker) -> Bool {
        executor.assertOnLoop()
        guard !isEnding, idleWorkers.count < Self.maximumIdleWorkers else { return false }
        idleWorkers.append(worker)
        return true
    }

    /// Whether a connection from there may be opened.
    func admits(_ address: UnsafePointer<sockaddr>?) -> Bool {
        guard hasMemory else { return false }
        guard let connectionLimit else { return true }
        // Where the connection before could not be opened, this gives its permit back.
        permit = nil
        switch connectionLimit.admit(address.flatMap { IPAddress($0) }) {
        case .uncounted: return true
        case .counted(let permit): self.permit = permit
        case .refused: return false
        }
        return true
    }

    /// Whether there is memory for another connection and its requests: it is asked for, and given back untouched. Swift ends
    /// a process that finds none, so that it must not come to that.
    private var hasMemory: Bool {
        let memory = mmap(nil, Self.reserve, PROT_READ | PROT_WRITE, Int32(MAP_PRIVATE | MAP_ANONYMOUS), -1, 0)
        guard memory != MAP_FAILED else { return false }
        munmap(memory, Self.reserve)
        return true
    }

    /// The permit of the connection that is being opened, where it is counted.
    func acquirePermit() -> ConnectionLimit.Permit? {
        executor.assertOnLoop()
        return permit.take()
    }

    func add(_ connection: Connection) {
        executor.assertOnLoop()
        figures.noteAccepted()
        connection.index = connections.count
        connections.append(connection)
        if connection.isGreeting { greetings += 1 }
    }

    /// A connection of TLS has sent its first request.
    func greeted() {
        greetings -= 1
    }

    func remove(_ connection: Connection) {
        executor.assertOnLoop()
        if connection.isGreeting { greetings -= 1 }
        hasRemoved = true
        guard let last = connections.popLast() else { return }
        if last !== connection {
            connections[connection.index] = last
            last.index = connection.index
        }
    }

    /// Keeps reading from the socket for a moment, and closes it then.
    func linger(_ socket: Int32, permit: ConnectionLimit.Permit?) {
        guard socket >= 0 else { return }
        shutdown(socket, Int32(SHUT_WR))
        lingering.add(socket, until: now + 2000, permit: permit)
    }

    private func drain(until deadline: UInt64) {
        executor.assertOnLoop()
        guard !isDraining else { return }
        drainDeadline = deadline
        let listener = MHD_quiesce_daemon(daemon)
        if !isHandedOver {
            acceptWaiting(listener)
            // Closing alone would leave the kernel accepting while another descriptor of the socket is open.
            shutdown(listener, Int32(SHUT_RDWR))
        }
        close(listener)
        for connection in connections where !connection.isBusy { connection.stopReading() }
    }

    /// Accepts those whom the kernel has already connected, since closing the listening socket would reset them.
    private func acceptWaiting(_ listener: Int32) {
        while true {
            var address = sockaddr_storage()
            var size = socklen_t(MemoryLayout<sockaddr_storage>.size)
            let isAdded = withUnsafeMutableBytes(of: &address) { bytes in
                let address = bytes.assumingMemoryBound(to: sockaddr.self).baseAddress
                let socket = accept(listener, address, &size)
                _ = fcntl(socket, F_SETFD, FD_CLOEXEC)
                return socket >= 0 && CMicroHTTPD_add_connection(daemon, socket, address, size)
            }
            if !isAdded { return }
        }
    }

    /// Stops the daemon. Requests whose handler has not answered are answered for: libmicrohttpd aborts when it is
    /// stopped while a connection is suspended.
    private func end() {
        isEnding = true
        for connection in connections { connection.answerForHandler(.stopping) }
        for _ in 0..<3 { runDaemon() }
        MHD_stop_daemon(daemon)
        daemon = nil
        lingering.closeAll()
        for worker in idleWorkers { worker.end() }
        idleWorkers = []
        executor.end()
        turn.store(0, ordering: .relaxed)
        ended.signal()
    }

    private static var milliseconds: UInt64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC_COARSE, &time)
        return UInt64(time.tv_sec) * 1000 + UInt64(time.tv_nsec) / 1_000_000
    }
}

/// The thread of an event loop, which it keeps alive.
private func runEventLoop(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let context else { return nil }
    Unmanaged<EventLoop>.fromOpaque(context).takeRetainedValue().run()
    return nil
}

extension Duration {
    /// Whole milliseconds; nothing below zero, and so few that several can be added.
    var milliseconds: UInt64 {
        let (seconds, attoseconds) = components
        return UInt64(min(max(0, seconds), Int64(Int32.max))) * 1000
            + UInt64(max(0, attoseconds) / 1_000_000_000_000_000)
    }
}
