/// What a controller needs that stores nothing between events.
open class StatelessController {
    public typealias State = NoState
    public weak var controllable: (any Controllable)?

    public init() {}
}

/// A controller with a field of every kind, which renders their values.
package final class FormController: StatelessController, BusinessLogicController {
    package static let age = Field<Double>("age")
    package static let agrees = Field<Bool>("agrees")
    package static let name = Field<String>("name")
    package static let pin = Field<String>("pin", isSecret: true)

    package static let events: EventTable<FormController> = [
        .default(
            "entered",
            reads: age,
            agrees,
            name,
            pin,
            gives: [shows("age"), shows("agrees"), shows("name")]
        ) { controller, _, _, _, _ in
            for key in ["age", "agrees", "name"] { controller.show(key) }
        },
        .event("noted", reads: Field<String?>("note"), gives: [shows("note")]) { controller, _ in
            controller.show("note")
        },
        .event("signed", reads: Field<String>("note"), gives: [shows("note")]) { controller, _ in
            controller.show("note")
        },
    ]

    package static let page = Page("form") { _ in FormController() }

    static func shows(_ key: String) -> CommandDeclaration { .renders(Output<Value>(key)) }

    func show(_ key: String) { controllable?.render(key, controllable?.getValue(key) ?? "nothing") }
}

/// A controller that counts, and suspends in between.
package final class CountingController: BusinessLogicController {
    package static let counting = Output<Int>("counting")
    package static let counted = Output<Int>("counted")
    package static let number = Output<Int>("number")

    package static let events: EventTable<CountingController> = [
        .default("count", gives: [.renders(counting), .renders(counted)]) { controller in
            let count = controller.state + 1
            controller.render(counting, count)
            for _ in 1...3 { await Task.yield() }
            controller.state = count
            controller.render(counted, count)
        },
        .event("chatter", gives: [.renders(number)]) { controller in
            for index in 1...100 { controller.render(number, index) }
        },
    ]

    package static let page = Page("counter") { _ in CountingController() }

    package weak var controllable: (any Controllable)?
    package var state = 0

    package init() {}
}

/// A controller that renders how often it ran, and then throws.
package final class FailingController: StatelessController, BusinessLogicController {
    package static let run = Output<Int>("run")
    package static let runs = Output<Int>("runs")

    package static let events: EventTable<FailingController> = [
        .default("fail", gives: [.renders(run)]) { controller in
            controller.runs += 1
            controller.render(run, controller.runs)
            throw controller.error
        },
        .event("succeed", gives: [.renders(runs)]) { $0.render(runs, $0.runs) },
    ]

    package static func page(_ error: any Error) -> Page { Page("failing") { _ in FailingController(error) } }

    var runs = 0
    let error: any Error

    package init(_ error: any Error) { self.error = error }
}

/// A controller that renders more than a session's maximum size, or a given size.
package final class WordyController: BusinessLogicController {
    package static let count = Field<Int>("count")
    package static let text = Output<String>("text")

    package static let events: EventTable<WordyController> = [
        .default("talk", gives: [.renders(text)]) { $0.render(text, "a".repeated(70_000)) },
        // The client chooses the key, so the event cannot declare it.
        .event("say", reads: Field<String>("key"), count) { $0.controllable?.render($1, .string("a".repeated($2))) },
        .event("remember", reads: count) { $0.state.append("a".repeated($1)) },
    ]

    package static let page = Page("wordy") { _ in WordyController() }

    package weak var controllable: (any Controllable)?
    package var state: [String] = []

    package init() {}
}

/// A controller with one event, which calls a closure on the thread of its event loop. Its commands are not declared.
package final class ActingController: StatelessController, BusinessLogicController {
    package static let events: EventTable<ActingController> = [.default("act") { try await $0.action($0) }]

    let action: (ActingController) async throws -> Void

    package init(_ action: @escaping (ActingController) async throws -> Void) { self.action = action }
}
