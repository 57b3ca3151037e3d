package import BusinessLogic
import HTTPMessages

/// An error of a controller that says nothing about the client's request, although its type does.
package struct ControllerError: Error, CustomStringConvertible {
    package let description: String

    /// `nil` if clients and logs can take the error as it is.
    package init?(_ error: any Error, of event: EventDeclaration) {
        switch error {
        // A type of the field can reject a value that its schema accepts.
        case EventError.invalidFields(_, let fields) where fields == event.reads.map(\.name): return nil
        case is EventError: description = "the controller has thrown \(error)"
        case is CancellationError where !Task.isCancelled && RequestTrace.current?.isAbandoned != true:
            description = "the controller has thrown a CancellationError, and its task is not cancelled"
        default: return nil
        }
    }
}
