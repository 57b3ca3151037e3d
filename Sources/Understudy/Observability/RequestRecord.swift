import BusinessLogic
internal import Glibc
import HTTPMessages
import UnderstudyPages
import UnderstudySessions

/// The facts about a request that the metrics and the access log contain.
struct RequestRecord {
    /// How the response is sent.
    enum Delivery {
        case atOnce
        /// While the event runs.
        case stream(EventStream)
        /// As a stream that goes on after this response.
        case openStream
    }

    /// The page, if the path is a page's.
    var page: Page?
    /// The event's index in the page's events, if the request is an event.
    var event: Int?
    /// The session, if it is known.
    var session: SessionID?
    /// The code of the problem to which the request led. The response may be another one: a browser's request has several parts.
    var problem: Problem.Code?
    /// How the response is sent.
    // Not an optional stream, because releasing an optional in the memory of an asynchronous function takes much longer.
    var delivery = Delivery.atOnce
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
