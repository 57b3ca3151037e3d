package import BusinessLogic

/// A version of a program that runs single events. Use it from one task.
package protocol SteppedProgram: AnyObject {
    /// Starts a step, or the description if `request` has the member `describe`. Receive its result before you send the next request.
    ///
    /// - Returns: receives the result, as ``ApplicationStep`` returns it; `error` if it was not a step, `stopped` if the program has ended.
    func send(_ request: Value.Object) throws -> () async throws -> Value.Object
}
