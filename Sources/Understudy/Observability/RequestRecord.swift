import BusinessLogic
internal import Glibc
import MicroHTTP

/// What is known of a request when it has been answered, for the metrics and the access log.
struct RequestRecord {
    /// The page, where there is one.
    var page: Page?
    /// Which of the page's events, where it was one.
    var event: Int?
    /// The session, where one is known.
    var session: SessionID?
    /// When the request was handed over, in nanoseconds of a clock that only goes forward.
    let start = RequestRecord.now

    /// Nanoseconds since the start.
    var elapsed: Int64 { Self.now - start }

    /// The event's name; empty where it was none.
    var eventName: String {
        if let page, let event { page.events[event].event.name } else { "" }
    }

    private static var now: Int64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }
}
