import BusinessLogic
import HTTPMessages
import Synchronization
import UnderstudyPages
import UnderstudySessions

/// Sends a session's commands on an open stream as they are committed, until the session or the connection ends, or the server stops.
///
/// It has no task while nothing happens, so that thousands of idle streams take little memory.
///
/// Sendable because only ``run()`` uses its variables after the start, and ``state`` lets one call of it run at a time.
final class HistoryFollower: @unchecked Sendable {
    private struct State {
        var isRunning = true
        var isWoken = false
        var hasEnded = false
    }

    private let state = Mutex(State())
    private let service: UnderstudyService
    private let request: Request
    private var history: HistoryStream
    private var waiting: WaitingRequest?
    private var stream: ResponseStream?

    private init(_ request: Request, _ history: HistoryStream, _ service: UnderstudyService) {
        self.request = request
        self.history = history
        self.service = service
    }

    /// `GET /session/history` as a stream.
    ///
    /// - Parameter position: the number of the last command that the client has; `nil` for all that are kept.
    /// - Returns: the head of the stream, which goes on. In process, the stream with the commands that there are.
    /// - Throws: as ``WaitingRequest/look(_:)``.
    static func start(
        _ request: Request,
        since position: Int?,
        _ service: UnderstudyService,
        _ record: inout RequestRecord
    ) async throws -> Response {
        let language = service.languages?[request.headers]
        let history = HistoryStream(since: position, language?.context ?? service.context)
        var head = Response(
            status: 200,
            contentType: .eventStream,
            common: language?.headers,
            headers: [EventStream.unbuffered]
        )
        let follower = HistoryFollower(request, history, service)
        let parts = try await follower.follow()
        var streamed = head
        service.addHeaders(to: &streamed, of: request)
        guard follower.open(streamed) else {
            follower.end()
            head.body = parts.flatMap(\.bytes)
            return head
        }
        record.delivery = .openStream
        follower.send(parts)
        follower.rest()
        return head
    }

    /// Looks at the session for the first time. A problem has its own status, because the head has not been sent.
    private func follow() async throws -> [HistoryStream.Part] {
        // The stream and the session refer to the waiter, and the waiter to this.
        let waiting = try WaitingRequest(request, service) { [weak self] in self?.wake() }
        self.waiting = waiting
        do {
            return try await waiting.look { history.parts(of: $0.history) }
        } catch {
            end()
            throw error
        }
    }

    private func open(_ head: Response) -> Bool {
        stream = request.stream(
            head,
            capacity: HistoryStream.capacity,
            keepAlive: HistoryStream.comment,
            ending: { _ in [] },
            onEnd: { self.disconnected() }
        )
        stream?.write(HistoryStream.comment)
        return stream != nil
    }

    // MARK: Waking

    /// The session may have new commands.
    private func wake() {
        let starts = state.withLock { state in
            state.isWoken = true
            defer { state.isRunning = true }
            return !state.isRunning
        }
        if starts { Task { await run() } }
    }

    /// The connection has ended.
    private func disconnected() {
        state.withLock { $0.hasEnded = true }
        wake()
    }

    /// Lets the next ``wake()`` run this, or runs it if it has been woken meanwhile.
    private func rest() {
        let isWoken = state.withLock { state in
            state.isRunning = state.isWoken
            return state.isWoken
        }
        if isWoken { Task { await run() } }
    }

    private func run() async {
        while state.withLock({ state in
            defer { state.isWoken = false }
            state.isRunning = state.isWoken
            return state.isWoken
        }) {
            await service.betweenResets { await look() }
        }
    }

    // MARK: Sending

    private func look() async {
        guard let waiting else { return }
        if state.withLock(\.hasEnded) { return end() }
        if service.isDraining { return finish([]) }
        do {
            send(try await waiting.look { history.parts(of: $0.history) })
        } catch {
            var record = RequestRecord()
            finish(HistoryStream.last(of: service.problemResponse(to: error, of: request, &record)))
        }
    }

    private func send(_ parts: [HistoryStream.Part]) {
        guard let stream, !history.send(parts, on: stream) else { return }
        if history.hasStalled { finish([]) } else { waiting?.wake(after: .milliseconds(250)) }
    }

    private func finish(_ last: [UInt8]) {
        stream?.finish(with: last)
        end()
    }

    private func end() {
        waiting?.end()
        (waiting, stream) = (nil, nil)
    }
}
