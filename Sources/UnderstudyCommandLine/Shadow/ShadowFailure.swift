/// Why a shadow has not responded to an event.
enum ShadowFailure: Error, Equatable {
    /// It has not responded in time.
    case timeout
    /// It has ended, cannot be started, or does not respond with lines of JSON. The text contains nothing that it has printed.
    case ended(reason: String)
    /// The server stops.
    case stopped
}

/// Another version of the program that runs single events. Use it from one thread.
protocol ShadowProgram: AnyObject {
    /// Starts the program, and waits until it responds.
    func start() throws(ShadowFailure)

    /// Sends a line with its end, and returns the line of the response without its end.
    func respond(to line: [UInt8]) throws(ShadowFailure) -> [UInt8]

    /// Ends the program, with all processes that it has started.
    func stop()
}
