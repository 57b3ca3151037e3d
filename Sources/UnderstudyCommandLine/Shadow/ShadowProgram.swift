/// Another version of the program that runs single events. Use it from one thread.
protocol ShadowProgram: AnyObject {
    /// Starts the program, and waits until it responds.
    func start() throws(StepFailure)

    /// Sends a line with its end, and returns the line of the response without its end.
    func respond(to line: [UInt8]) throws(StepFailure) -> [UInt8]

    /// Ends the program, with all processes that it has started.
    func stop()
}

extension StepProcess: ShadowProgram {}
