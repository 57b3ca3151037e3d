import BusinessLogic
import Understudy

/// A controller that renders a count.
final class CountingController: BusinessLogicController {
    static let events: EventTable<CountingController> = [
        .default("count") { controller in
            controller.state += 1
            controller.controllable?.render("count", Value(controller.state))
        },
        .event("chatter") { $0.chatter() },
        .event("chatterAndFail") { controller in
            controller.chatter()
            throw CollaboratorError.overloaded(retryAfter: .seconds(1))
        },
    ]

    static let page = Page("counter") { _ in CountingController() }

    weak var controllable: (any Controllable)?
    var state = 0

    /// Gives more commands than the history keeps.
    private func chatter() {
        for number in 1...300 { controllable?.render("number", Value(number)) }
    }
}

/// A controller with a field of every kind, which renders the values.
final class FormController: BusinessLogicController {
    static let events: EventTable<FormController> = [
        .default(
            "entered",
            reads: [Field("age", .number), Field("agrees", .boolean), .optional("note"), .secret("pin")]
        ) {
            for key in ["age", "agrees", "note"] {
                $0.controllable?.render(key, $0.controllable?.getValue(key) ?? "nothing")
            }
        },
        .event("cleared") { $0.controllable?.render("note", .null) },
    ]

    static let page = Page("form") { _ in FormController() }

    weak var controllable: (any Controllable)?
    typealias State = NoState
}

/// A controller whose event fails with a given error.
final class FailingController: BusinessLogicController {
    static let events: EventTable<FailingController> = [
        .default("fail") { controller in
            controller.state += 1
            controller.controllable?.render("attempt", Value(controller.state))
            throw controller.error
        }
    ]

    static func page(_ error: any Error) -> Page {
        Page("failing") { _ in FailingController(error) }
    }

    weak var controllable: (any Controllable)?
    var state = 0
    private let error: any Error

    init(_ error: any Error) {
        self.error = error
    }
}

/// A controller whose event runs until it is cancelled.
final class SilentController: BusinessLogicController {
    static let events: EventTable<SilentController> = [
        .default("wait") { controller in
            controller.hasStarted.yield()
            for await _ in AsyncStream<Never>.makeStream().stream {}
        }
    ]

    weak var controllable: (any Controllable)?
    typealias State = NoState
    private let hasStarted: AsyncStream<Void>.Continuation

    init(hasStarted: AsyncStream<Void>.Continuation) {
        self.hasStarted = hasStarted
    }
}

/// The error of an unavailable collaborator.
struct Outage: Error, Equatable {}
