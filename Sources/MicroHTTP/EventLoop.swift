import HTTPMessages
import Addresses
import CMicroHTTPD
import Glibc
import Synchronization
import ThreadExecutors

/// One thread that drives one libmicrohttpd daemon, and runs the tasks that respond to its requests.
///
/// libmicrohttpd's own epoll thread stalls if exactly 128 connections (or a multiple) are ready at the same time. A daemon that
/// this thread drives does not stall.
final class EventLoop: @unchecked Sendable {
    // Sendable because only the loop's thread uses what is neither constant nor atomic, which debug builds assert.

    /// In milliseconds.
    struct Timeouts {
        let idle, head, body, response, receive, keepAlive: UInt64

        init(_ configuration: ServerConfiguration, idle: UInt64) {
            self.idle = idle
            head = configuration.headTimeout.milliseconds
            body = configuration.bodyTimeout.milliseconds
            response = configuration.responseTimeout.milliseconds
            receive = configuration.receiveTimeout.milliseconds
            keepAlive = max(1, configuration.keepAliveInterval.milliseconds)
        }
    }

    /// The number of the loop in its server, from 0.
    let number: Int
    private(set) var limits: RequestLimits
    let trustedProxies: TrustedProxies
    private(set) var responder: any Responder
    /// Distinguishes the workers of the ``responder`` from those of earlier ones.
    private(set) var responderNumber = 0
    private(set) var timeouts: Timeouts
    /// How long a connection may be silent, in seconds, from 1 to 4,294,967: libmicrohttpd stores the milliseconds in 32 bits.
    let idleSeconds: UInt32
    let responses: ResponsePool
    let library = LibraryCheck.installed

    private let connectionLimit: ConnectionLimit
    /// The permit of a connection that the loop has admitted and libmicrohttpd is about to open.
    private var permit: ConnectionLimit.Permit?

    private let configuration: ServerConfiguration
    let executor: ThreadExecutor
    /// Handlers are isolated to it.
    let isolation: LoopIsolation
    private let (ending, endingSource) = AsyncStream.makeStream(of: Never.self)

    private var daemon: OpaquePointer?
    /// Whether another process continues to listen on the loop's socket after the loop has ended.
    private var isHandedOver = false
    /// When the current iteration began, in milliseconds; 0 while the loop waits for work.
    private let iteration = Atomic<UInt64>(0)
    /// The hosts that requests may name; `nil` for all.
    private(set) var hosts: AllowedHosts?
    private var connections: [Connection] = []
    /// Whether a connection has been removed since the loop last waited.
    private var hasRemoved = false
    private let lingering = LingeringSockets()
    /// Reports the clients that disconnect while their handlers wait, of which libmicrohttpd does not report anything; -1 before and after the run.
    private var peers: Int32 = -1
    /// The number of connections whose handshake may not be complete.
    var handshakes = 0
    /// The number of consecutive iterations in which nothing arrived.
    private var quietIterations: Int32 = 0
    /// The workers without a request. The loop takes the last one, because its memory is most likely in the processor's cache.
    private var idleWorkers: [Worker] = []
    /// The connection whose request line arrived last.
    var newest: Connection?
    /// The statuses of responses that libmicrohttpd sent by itself, and that the loop has not reported to the responder yet.
    private var rejections: [Int] = []
    /// In one run, the daemon reads at most once from each connection.
    private(set) var runs: UInt64 = 0
    private var nextSweep: UInt64 = 0
    private var sweeps = 0
    private var turns = 0
    private var drainDeadline: UInt64?
    let metrics = LoopMetrics()
    private let blockedLoopThreshold: UInt64
    private var runQueueDelay = RunQueueDelay()
    /// Whether requests no longer reach a handler.
    private(set) var isEnding = false

    /// Milliseconds of a monotonic clock, which is read once per iteration.
    private(set) var now: UInt64 = EventLoop.milliseconds

    /// Milliseconds between two checks of the deadlines.
    private static let sweepInterval: UInt64 = 250
    private static let maximumIdleWorkers = 64
    /// How many bytes of memory must be available before the loop admits a connection.
    private static let requiredMemory = 8 << 20

    /// The connection limit counts the connections of all loops.
    init(
        number: Int,
        configuration: ServerConfiguration,
        responder: any Responder,
        connectionLimit: ConnectionLimit
    ) throws(ServerError) {
        self.number = number
        self.configuration = configuration
        self.connectionLimit = connectionLimit
        limits = RequestLimits(configuration)
        trustedProxies = configuration.trustedProxies
        self.responder = responder
        timeouts = Timeouts(configuration, idle: configuration.idleTimeout.milliseconds)
        blockedLoopThreshold = max(1, configuration.blockedLoopThreshold.milliseconds)
        idleSeconds = UInt32(min(max(1, (timeouts.idle + 999) / 1000), UInt64(UInt32.max / 1000)))
        responses = ResponsePool(overwritesHeaders: library.ownsHeaderValues)
        let wakeup = CMicroHTTPD_event_descriptor()
        guard wakeup >= 0 else { throw .cannotStart(reason: lastError()) }
        executor = ThreadExecutor(wakeup: wakeup)
        isolation = LoopIsolation(executor)
    }

    private var maximumConnections: Int { max(1, configuration.maximumConnections / configuration.loops) }

    /// `nil` for plain HTTP.
    var identity: TLSIdentity? { configuration.credentials?.identity }

    var isDraining: Bool { drainDeadline != nil }

    /// The server stops or is about to.
    private(set) var closesConnections = false

    // MARK: From other threads

    /// Starts the loop's thread, which keeps the loop alive until it has ended. The loop closes the listening socket, unless this throws; if it is
    /// handed over, another process continues to listen on it. The hosts are those that requests may name; `nil` for all.
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
            // One more, which replaces another one.
            UInt32(clamping: maximumConnections + (configuration.replacesIdleConnections ? 1 : 0)),
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

    /// Whether the current iteration has lasted at most `limit` milliseconds. `true` while the loop waits for work.
    func isResponsive(within limit: UInt64) -> Bool {
        let begin = iteration.load(ordering: .relaxed)
        return begin == 0 || EventLoop.milliseconds <= begin + limit
    }

    /// Applies other limits to the requests whose head the loop reads from now on.
    func reload(_ configuration: ServerConfiguration, hosts: AllowedHosts?) async {
        await isolation.run {
            self.limits = RequestLimits(configuration)
            self.timeouts = Timeouts(configuration, idle: self.timeouts.idle)
            self.hosts = hosts
            for connection in self.connections { connection.forgetHost() }
        }
    }

    /// Gives the requests whose handlers start from now on to another responder.
    func replaceResponder(_ responder: any Responder) {
        executor.submit {
            self.responder = responder
            self.responderNumber += 1
            for worker in self.idleWorkers { worker.end() }
            self.idleWorkers = []
        }
    }

    /// Returns when no response keeps a connection open any more.
    func closeConnectionsAfterResponses() async {
        await isolation.run { self.closesConnections = true }
    }

    /// Open requests get no response.
    func stopAtOnce() { executor.submit { self.drain(until: self.now) } }

    /// Stops accepting connections, and returns when all accepted requests have a response, at the latest after `timeout`.
    func stop(within timeout: Duration) async {
        executor.submit { self.drain(until: self.now + timeout.milliseconds) }
        // In a task of its own, since a cancelled one does not wait for a stream.
        await Task { [ending] in for await _ in ending {} }.value
    }

    // MARK: On the loop's thread

    /// Ends the process in debug builds if the loop is running and the caller is not on its thread.
    func assertOnThread() {
        // In this module, so that other builds call nothing.
        assert(executor.isOnThread, "not on the loop's thread")
    }

    fileprivate func run() {
        executor.begin()
        runQueueDelay.begin()
        peers = CMicroHTTPD_peers()
        while !isFinished {
            now = EventLoop.milliseconds
            iteration.store(now, ordering: .relaxed)
            executor.takeQueue()
            executor.runJobs { watch(nil, $0) }
            runDaemon()
            if now >= nextSweep { sweep() }
            metrics.record(iteration: EventLoop.milliseconds - now, connections: connections.count)
            wait()
        }
        end()
    }

    private func runDaemon() {
        runs &+= 1
        CMicroHTTPD_run(daemon)
        newest = nil
        guard !rejections.isEmpty else { return }
        for status in exchange(&rejections, with: []) {
            _ = responder.reject(RequestRejection(libraryStatus: status, limits: limits), of: Request(.get, ""))
        }
    }

    private var isFinished: Bool {
        guard let drainDeadline else { return false }
        return connections.isEmpty || now >= drainDeadline
    }

    /// Reports the handler to the responder if this part of it blocks the loop for too long.
    func watch(_ request: Request?, _ body: () -> Void) {
        let start = EventLoop.milliseconds
        body()
        let blocked = EventLoop.milliseconds - start
        if blocked >= blockedLoopThreshold { reportBlocked(by: request, since: start, for: blocked) }
    }

    /// The duration is in milliseconds.
    private func reportBlocked(by request: Request?, since start: UInt64, for duration: UInt64) {
        // Not the handler's fault. It may include some of the time before, since the last sweep.
        let waited = runQueueDelay.take()
        guard duration >= blockedLoopThreshold + waited else { return }
        responder.loopWasBlocked(by: description(of: request, since: start), for: .milliseconds(duration - waited))
    }

    /// Describes a request, or that whose handler has gone on since a time in milliseconds.
    private func description(of request: Request?, since start: UInt64) -> RequestDescription? {
        let traces = (connections.compactMap(\.worker) + idleWorkers).compactMap(\.trace)
        if let request { return traces.first { $0.request.id == request.id }?.request ?? RequestDescription(request) }
        let newest = traces.max { $0.lastResumed < $1.lastResumed }
        return newest.flatMap { $0.lastResumed >= Int64(start) * 1_000_000 ? $0.request : nil }
    }

    private func wait() {
        guard executor.prepareToWait() else { return }
        // If no descriptors are left, libmicrohttpd stops accepting until its next run. A removed connection has freed one, so run again.
        if hasRemoved {
            hasRemoved = false
            return
        }
        let isQuiet = connections.isEmpty && lingering.isEmpty
        let limit: UInt64 = isDraining ? 10 : isQuiet ? 60_000 : Self.sweepInterval
        var timeout = CMicroHTTPD_timeout(daemon, Int32(limit))
        // During a handshake, libmicrohttpd asks to run again immediately, even if it waits for the client. The loop waits 1 to 50
        // milliseconds instead, the longer the more iterations were quiet, so that a silent client does not keep the processor busy.
        if timeout == 0, handshakes > 0 { timeout = min(max(1, quietIterations - 10), 50) }
        guard timeout > 0 else { return }
        var descriptors = (
            pollfd(fd: CMicroHTTPD_epoll_descriptor(daemon), events: Int16(POLLIN), revents: 0),
            pollfd(fd: executor.wakeup, events: Int16(POLLIN), revents: 0),
            pollfd(fd: peers, events: Int16(POLLIN), revents: 0)
        )
        iteration.store(0, ordering: .relaxed)
        let ready = withUnsafeMutableBytes(of: &descriptors) {
            poll($0.assumingMemoryBound(to: pollfd.self).baseAddress, 3, timeout)
        }
        quietIterations = ready == 0 ? min(quietIterations + 1, 1000) : 0
        if descriptors.2.revents != 0 { checkPeers() }
    }

    /// Reports to the loop when the client stops sending, or disconnects, until ``unwatch(_:)``.
    func watch(_ connection: Connection, socket: Int32) {
        CMicroHTTPD_watch_peer(peers, socket, Unmanaged.passUnretained(connection).toOpaque())
    }

    func unwatch(socket: Int32) { CMicroHTTPD_unwatch_peer(peers, socket) }

    private func checkPeers() {
        while let connection = CMicroHTTPD_changed_peer(peers) {
            Unmanaged<Connection>.fromOpaque(connection).takeUnretainedValue().peerChanged()
        }
    }

    private func sweep() {
        nextSweep = now + Self.sweepInterval
        _ = runQueueDelay.take()
        sweeps &+= 1
        // A loop that never waits has not checked them.
        checkPeers()
        for connection in connections {
            if connection.deadline <= now { connection.expire() }
            connection.keepStreamAlive()
            connection.checkPeer(sweep: sweeps)
        }
        lingering.sweep(now: now)
    }

    /// Spreads the connections over the sweeps that check them.
    func nextTurn() -> Int {
        turns &+= 1
        return turns
    }

    /// Called when libmicrohttpd is about to respond to a request by itself. It discards any other response, and sends its own before it
    /// calls back again.
    ///
    /// libmicrohttpd does not report the connection. So the loop usually calls the responder only for its log and its metrics, and
    /// discards its response.
    ///
    /// The loop finds the connection only if libmicrohttpd has read the whole head. Then the server responds first, because 0.9 would send
    /// the header section of its response twice.
    ///
    /// 0.9 rejects a Content-Length that white space follows, although it is valid (RFC 9110, section 5.5). The server cannot prevent this:
    /// between the request line and this check, 0.9 calls no code that could remove the space.
    func libraryRejects(status: Int) {
        if let newest, newest.respondForLibrary(status: status) { return }
        // A head that has arrived in pieces.
        if connections.contains(where: { $0.respondForLibrary(status: status) }) { return }
        rejections.append(status)
    }

    func takeWorker() -> Worker {
        assertOnThread()
        return idleWorkers.popLast() ?? Worker(loop: self)
    }

    /// The worker's request has a response. Returns `false` if the worker must end.
    func putBack(_ worker: Worker) -> Bool {
        assertOnThread()
        guard !isEnding, worker.responderNumber == responderNumber, idleWorkers.count < Self.maximumIdleWorkers else {
            return false
        }
        idleWorkers.append(worker)
        return true
    }

    func admits(_ address: UnsafePointer<sockaddr>?) -> Bool {
        guard hasMemory else { return false }
        // Returns the permit of the previous connection if that could not be opened.
        permit = nil
        permit = connectionLimit.admit(address.flatMap { IPAddress($0) })
        return permit != nil
    }

    /// Whether there is memory for another connection and its requests. Swift ends a process that runs out of memory, so this tries whether
    /// it can map some.
    private var hasMemory: Bool {
        let memory = mmap(nil, Self.requiredMemory, PROT_READ | PROT_WRITE, Int32(MAP_PRIVATE | MAP_ANONYMOUS), -1, 0)
        guard memory != MAP_FAILED else { return false }
        munmap(memory, Self.requiredMemory)
        return true
    }

    func acquirePermit() -> ConnectionLimit.Permit? {
        assertOnThread()
        return permit.take()
    }

    func add(_ connection: Connection) {
        assertOnThread()
        metrics.countAccepted()
        connection.index = connections.count
        connections.append(connection)
        if connection.mayBeHandshaking { handshakes += 1 }
        if configuration.replacesIdleConnections, connections.count > maximumConnections { closeLongestWaiting() }
    }

    /// Closes the connection that has waited longest for its client, so that libmicrohttpd accepts the next one.
    private func closeLongestWaiting() {
        let waiting = connections.filter { $0.waitingStart != nil }
        waiting.min { $0.waitingStart ?? .max < $1.waitingStart ?? .max }?.close()
    }

    func remove(_ connection: Connection) {
        assertOnThread()
        if connection.mayBeHandshaking { handshakes -= 1 }
        hasRemoved = true
        guard let last = connections.popLast() else { return }
        if last !== connection {
            connections[connection.index] = last
            last.index = connection.index
        }
    }

    /// Ends sending, discards for up to two seconds what the client sends, and then closes the socket.
    func linger(_ socket: Int32, permit: ConnectionLimit.Permit?) {
        guard socket >= 0 else { return }
        shutdown(socket, Int32(SHUT_WR))
        // Each needs a descriptor, in addition to those of the connections.
        guard lingering.count < max(4, maximumConnections / 8) else { return _ = close(socket) }
        lingering.add(socket, until: now + 2000, permit: permit)
    }

    private func drain(until deadline: UInt64) {
        assertOnThread()
        guard !isDraining else { return }
        drainDeadline = deadline
        let listener = MHD_quiesce_daemon(daemon)
        if !isHandedOver {
            acceptWaiting(listener)
            // If another descriptor of the socket is open, closing alone would not stop the kernel from accepting.
            shutdown(listener, Int32(SHUT_RDWR))
        }
        close(listener)
        for connection in connections where connection.waitsForHead { connection.stopReadingUnlessLate() }
        closesConnections = true
    }

    /// Closing the listening socket would reset them.
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

    /// Stops the daemon. Rejects the requests without a response first, because libmicrohttpd aborts the process if a connection is
    /// suspended when the daemon stops.
    private func end() {
        isEnding = true
        for connection in connections { connection.respondForHandler(.stopping) }
        // A run sends a buffer of a connection at most, and a stream may have several.
        for _ in 0..<(connections.contains(where: \.hasStream) ? 20 : 3) { runDaemon() }
        MHD_stop_daemon(daemon)
        daemon = nil
        lingering.closeAll()
        close(peers)
        peers = -1
        for worker in idleWorkers { worker.end() }
        idleWorkers = []
        executor.end()
        iteration.store(0, ordering: .relaxed)
        endingSource.finish()
    }

    private static var milliseconds: UInt64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC_COARSE, &time)
        return UInt64(time.tv_sec) * 1000 + UInt64(time.tv_nsec) / 1_000_000
    }
}

private func runEventLoop(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let context else { return nil }
    Unmanaged<EventLoop>.fromOpaque(context).takeRetainedValue().run()
    return nil
}

extension Duration {
    /// Whole milliseconds, at least 0, and few enough to add several without overflow.
    var milliseconds: UInt64 {
        let (seconds, attoseconds) = components
        return UInt64(min(max(0, seconds), Int64(Int32.max))) * 1000
            + UInt64(max(0, attoseconds) / 1_000_000_000_000_000)
    }
}
