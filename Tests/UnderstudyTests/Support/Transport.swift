import ServiceLifecycle

typealias ServiceChange = (inout ServiceConfiguration) -> Void

extension UnderstudyService: RequestSender {
    func send(_ request: Request) async -> Answer { Answer(await respond(to: request)) }

    /// Sends a request, which waits or has its response when this returns.
    func begin(_ request: Request) -> Task<Answer, Never> { Task.immediate { await send(request) } }
}

extension TestClient {
    /// A client of a new service, of the demonstration unless pages are given.
    convenience init(
        pages: [Page] = Page.demo(),
        logger: Logger = LogCapture().logger,
        configure: ServiceChange = { _ in }
    ) {
        self.init(UnderstudyService(pages: pages, logger: logger, configure: configure))
    }
}

extension AdminResponder: RequestSender {
    func send(_ request: Request) async -> Answer { Answer(await respond(to: request)) }
}

/// Sends requests to a server on this machine, over one connection for as long as the server keeps it open.
final class SocketSender: RequestSender {
    let port: UInt16
    let connection = LockedValue<HTTPTestClient?>(nil)

    init(port: UInt16) { self.port = port }

    func send(_ request: Request) async throws -> Answer {
        let client = if let open = connection.value { open } else { try await HTTPTestClient(port: port) }
        connection.value = client
        try await client.send(request.bytes)
        let answer = try await client.receive(isHead: request.method == .head)
        if answer.header("Connection")?.lowercased() == "close" { connection.value = nil }
        return answer
    }
}

extension Request {
    /// The request as it is sent.
    var bytes: [UInt8] {
        var bytes = "\(method) \(target) HTTP/1.1\r\n".bytes
        if headers.count(of: "host") == 0 { bytes += "Host: localhost\r\n".utf8 }
        if !body.isEmpty || method == .post { bytes += "Content-Length: \(body.count)\r\n".utf8 }
        for (name, value) in headers.all { bytes += name + ": ".bytes + value + "\r\n".bytes }
        return bytes + "\r\n".bytes + body
    }
}

/// Serves on a free port of this machine while `body` runs.
func withServer<Result>(
    _ responder: any Responder,
    configure: (inout ServerConfiguration) -> Void = { _ in },
    _ body: (UInt16) async throws -> Result
) async throws -> Result {
    try await withRunningServer(responder) {
        $0.loops = 2
        $0.drainTimeout = .milliseconds(100)
        // The server logs a handler that a loaded machine suspends for longer than this.
        $0.blockedLoopThreshold = .seconds(600)
        configure(&$0)
    } _: {
        try await body($0.address.port)
    }
}

/// Serves in a service group on a free port while `body` runs, and then shuts the group down gracefully.
///
/// - Parameter prepare: changes the server before it starts.
func withServiceGroup(
    _ service: UnderstudyService,
    logger: Logger = LogCapture().logger,
    configure: (inout ServerConfiguration) -> Void = { _ in },
    prepare: (inout UnderstudyServer) async throws -> Void = { _ in },
    _ body: (UnderstudyServer, ServerAddress, ServiceGroup) async throws -> Void
) async throws {
    var configuration = ServerConfiguration()
    configuration.port = 0
    configuration.loops = 2
    configure(&configuration)
    let (addresses, started) = AsyncStream<ServerAddress>.makeStream()
    var server = UnderstudyServer(service: service, configuration: configuration, logger: logger) { started.yield($0) }
    try await prepare(&server)
    let silent = Logger(label: "") { _ in SwiftLogNoOpLogHandler() }
    let group = ServiceGroup(configuration: ServiceGroupConfiguration(services: [server], logger: silent))
    async let running: Void = group.run()
    let address = try #require(await addresses.first { _ in true })
    try await body(server, address, group)
    await group.triggerGracefulShutdown()
    try await running
}
