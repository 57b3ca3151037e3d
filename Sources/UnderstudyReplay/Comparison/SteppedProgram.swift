package import BusinessLogic
package import UnderstudyPages

/// A version of a program that runs single events. Use it from one task.
package protocol SteppedProgram: AnyObject {
    /// Starts a step, or the description if `request` has the member `describe`. Call ``receive()`` next.
    func send(_ request: Value.Object) throws

    /// The result of the request that was sent last, as ``ApplicationStep`` returns it; `error` if it was not a step, `stopped` if the program
    /// has ended.
    func receive() async throws -> Value.Object

    /// Forgets everything that does not come from requests.
    func restart() throws
}

/// Pages of this process.
package final class ProgramInProcess: SteppedProgram {
    private let step: ApplicationStep
    private var request: Value.Object = [:]

    /// Creates a program with these pages.
    package init(_ pages: [Page]) {
        step = ApplicationStep(pages)
    }

    package func send(_ request: Value.Object) {
        self.request = request
    }

    package func receive() async -> Value.Object {
        await step.answer(request)
    }

    package func restart() {}
}

extension ApplicationStep {
    /// What a request gives: a step or, with the member `describe`, the description of the pages. Instead of an error, `error` is its text.
    package func answer(_ request: Value.Object) async -> Value.Object {
        do {
            if request["describe"] == true { return description(at: try Self.clock(request)) }
            return try await run(request)
        } catch {
            return ["error": .string("\(error)")]
        }
    }
}
