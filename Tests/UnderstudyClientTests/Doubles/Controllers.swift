import TestSupport
import Understudy

/// A controller that renders a count.
final class CountingController: BusinessLogicController {
    static let count = Output<Int>("count")
    static let number = Output<Int>("number")

    static let events: EventTable<CountingController> = [
        .default("count", gives: [.renders(count)]) { controller in
            controller.state += 1
            controller.render(count, controller.state)
        },
        .event("chatter", gives: [.renders(number)]) { $0.chatter() },
        .event("chatterAndFail", gives: [.renders(number)]) { controller in
            controller.chatter()
            throw CollaboratorError.overloaded(retryAfter: .seconds(1))
        },
    ]

    static let page = Page("counter") { _ in CountingController() }

    weak var controllable: (any Controllable)?
    var state = 0

    /// Gives more commands than the history keeps.
    private func chatter() {
        for index in 1...300 { render(Self.number, index) }
    }
}

/// A controller with a field of every kind, which renders the values.
struct FormController: Script {
    static let age = Output<Value>("age")
    static let agrees = Output<Value>("agrees")
    static let note = Output<Value>("note")

    static let events: EventTable<Scripted<FormController>> = [
        .default(
            "entered",
            reads: Field<Double>("age"),
            Field<Bool>("agrees"),
            Field<String?>("note"),
            Field<String>("pin", isSecret: true),
            gives: [.renders(age), .renders(agrees), .renders(note)]
        ) { controller, _, _, _, _ in
            for output in [age, agrees, note] {
                controller.render(output, controller.controllable?.getValue(output.key) ?? "nothing")
            }
        },
        .event("cleared", gives: [.renders(note)]) { $0.render(note, .null) },
    ]

    static let page = Page("form", FormController())
}
