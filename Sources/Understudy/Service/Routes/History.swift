import BusinessLogic
import HTTPMessages
import UnderstudyPages
import UnderstudySessions

extension UnderstudyService {
    /// In seconds.
    private static let longestWait = 50

    /// `GET /session/history?since=N&wait=S`: the commands after N, or without N all that are kept, across all pages. With `wait`, waits until
    /// there are some; with `Accept: text/event-stream`, sends all that follow.
    func showHistory(_ request: Request, _ record: inout RequestRecord) async throws -> Response {
        let since = try request.number(named: "since", in: 0...Int.max)
        let wait = try request.number(named: "wait", in: 0...Self.longestWait) ?? 0
        if request.headers.prefersMedia("text/event-stream") {
            let position = try request.headers.lastEventID ?? since
            let language = languages?[request.headers]
            let format = CommandEvents(language?.context ?? context)
            return try await streamHistory(format, since: position, in: language, request, &record)
        }
        if wait > 0 { return try await waitForHistory(request, since: since, wait: .seconds(wait)) }
        return try await withRequiredSession(of: credential(of: request)) { session in
            if hasDueUpdates(of: nil, in: session), try await !runUpdates(of: nil, in: session) { return nil }
            return try historyResponse(of: session, since: since, to: request)
        }
    }

    private func historyResponse(of session: Session, since: Int?, to request: Request) throws(Problem) -> Response {
        let history = session.history
        guard let commands = since.map({ history.since($0) }) ?? history.kept else {
            throw Problem(
                .historyGone,
                "The last \(session.history.limit) commands are kept.",
                members: ["sequence": Value(session.history.sequence)]
            )
        }
        let language = language(of: commands, for: request)
        return Response(
            status: 200,
            contentType: .json,
            common: language?.headers,
            body: CommandResponse.history(
                sequence: session.history.sequence,
                commands: commands,
                context: language?.context ?? context
            )
        )
    }

    // MARK: Waiting

    private func waitForHistory(_ request: Request, since: Int?, wait: Duration) async throws -> Response {
        let waiting = try WaitingRequest(request, self)
        defer { waiting.end() }
        let end = ContinuousClock.now + wait
        while true {
            let (response, hasNews) = try await waiting.look { session in
                (try historyResponse(of: session, since: since, to: request), session.history.sequence > since ?? 0)
            }
            let rest = end - ContinuousClock.now
            if hasNews || rest <= .zero || isDraining { return response }
            await waiting.wait(atMost: rest)
            // The client has disconnected, or has stopped sending and still receives.
            if Task.isCancelled { return response }
        }
    }
}

extension Request {
    /// `nil` if the request does not contain the parameter.
    func number(named name: String, in range: ClosedRange<Int>) throws(Problem) -> Int? {
        for parameter in query?.split(separator: "&") ?? [] {
            let parts = parameter.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts[0] == name else { continue }
            guard parts.count == 2, let number = Int(parts[1]), range.contains(number), parts[1].first != "+" else {
                let upper = range.upperBound == .max ? "" : " to \(range.upperBound)"
                throw Problem(.invalidParameter, "'\(name)' must be a whole number from 0\(upper).")
            }
            return number
        }
        return nil
    }
}

/// Streams of a session's history, which go on until the session or the connection ends, or the server stops.
extension UnderstudyService {
    /// Starts a stream, and returns its head; in process, with the commands that there are. Throws as ``WaitingRequest/look(_:)``.
    ///
    /// - Parameters:
    ///   - position: the number of the last command that the client has; `nil` for all that are kept.
    ///   - credential: names the session each time; `nil` for that of the request.
    func streamHistory(
        _ format: some HistoryFormat,
        since position: Int?,
        in language: Language?,
        _ request: Request,
        as credential: (@Sendable () async throws -> SessionCredential)? = nil,
        _ record: inout RequestRecord
    ) async throws -> Response {
        let history = HistoryStream(format, since: position)
        var head = EventStream.head(language)
        let waiting = try WaitingRequest(request, as: credential, self)
        do {
            // A problem has its own status, because the head has not been sent.
            let parts = try await waiting.look { history.parts(of: $0.history) }
            var streamed = head
            addHeaders(to: &streamed, of: request)
            if let stream = open(streamed, waiting) {
                record.delivery = .openStream
                // Detached, because what belongs to the request's task, such as its trace, is not the stream's.
                Task.detached { await self.send(parts, of: history, on: stream, waiting) }
            } else {
                head.body = history.bytes(of: parts)
                waiting.end()
            }
            return head
        } catch {
            waiting.end()
            throw error
        }
    }

    private func open(_ head: Response, _ waiting: WaitingRequest) -> ResponseStream? {
        let stream = ResponseStream(
            head,
            to: waiting.request,
            capacity: HistoryStream.capacity,
            keepAlive: HistoryStream.comment,
            ending: { _ in [] },
            onEnd: { [waiter = waiting.waiter] in waiter.wake() }
        )
        stream?.write(HistoryStream.comment)
        return stream
    }

    private func send(
        _ parts: [HistoryStream.Part],
        of history: HistoryStream,
        on stream: ResponseStream,
        _ waiting: WaitingRequest
    ) async {
        defer { waiting.end() }
        var (history, parts) = (history, parts)
        while true {
            if !history.send(parts, on: stream) {
                if history.hasStalled { return stream.finish(with: []) }
                wakeTimers.wake(waiting.waiter, after: .milliseconds(250))
            }
            await waiting.waiter.wait()
            if stream.hasEnded { return }
            if isDraining { return stream.finish(with: history.format.last(nil)) }
            do {
                parts = try await betweenResets { try await waiting.look { history.parts(of: $0.history) } }
            } catch {
                var record = RequestRecord()
                let problem = problemResponse(to: error, of: waiting.request, &record)
                return stream.finish(with: history.format.last(problem))
            }
        }
    }
}
