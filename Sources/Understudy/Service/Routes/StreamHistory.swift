import BusinessLogic
import HTTPMessages
import UnderstudyPages
import UnderstudySessions

/// `GET /session/history` as a stream, which goes on until the session or the connection ends, or the server stops.
extension UnderstudyService {
    /// Starts the stream.
    ///
    /// - Parameter position: the number of the last command that the client has; `nil` for all that are kept.
    /// - Returns: the head of the stream. In process, the stream with the commands that there are.
    /// - Throws: as ``WaitingRequest/look(_:)``.
    func streamHistory(
        _ request: Request,
        since position: Int?,
        _ record: inout RequestRecord
    ) async throws -> Response {
        let language = languages?[request.headers]
        let history = HistoryStream(since: position, language?.context ?? context)
        var head = Response(
            status: 200,
            contentType: .eventStream,
            common: language?.headers,
            headers: [EventStream.unbuffered]
        )
        let waiting = try WaitingRequest(request, self)
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
                head.body = parts.flatMap(\.bytes)
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

    /// Sends the session's commands as they are committed.
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
            if isDraining { return stream.finish(with: []) }
            do {
                parts = try await betweenResets { try await waiting.look { history.parts(of: $0.history) } }
            } catch {
                var record = RequestRecord()
                let problem = problemResponse(to: error, of: waiting.request, &record)
                return stream.finish(with: HistoryStream.last(of: problem))
            }
        }
    }
}
