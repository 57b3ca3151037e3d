import BusinessLogic
internal import Glibc
import MicroHTTP

/// The facts about a request that the metrics and the access log contain.
struct RequestRecord {
    /// The page, if the path is a page's.
    var page: Page?
    /// The event's index in the page's events, if the request is an event.
    var event: Int?
    /// The session, if it is known.
    var session: SessionID?
    /// Sends the response while the event runs; `nil` if the client does not ask for a stream.
    var stream: EventStream?
    /// When the service received the request, in nanoseconds of the monotonic clock.
    let start = RequestRecord.now

    /// Nanoseconds since the start.
    var elapsed: Int64 { Self.now - start }

    /// The event's name; empty if the request is not an event.
    var eventName: String {
        if let page, let event { page.events[event].event.name } else { "" }
    }

    private static var now: Int64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }
}
