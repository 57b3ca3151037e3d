import BusinessLogic
import Understudy

/// A controller with a field of every kind, which renders their values.
final class FormController: BusinessLogicController {
    static let events: EventTable<FormController> = [
        .default("entered", reads: [Field("age", .number), Field("agrees", .boolean), "name", .secret("pin")]) {
            for key in ["age", "agrees", "name"] { $0.show(key) }
        },
        .event("noted", reads: [.optional("note")]) { $0.show("note") },
        .event("signed", reads: ["note"]) { $0.show("note") },
    ]

    static let page = Page("form") { _ in FormController() }

    weak var controllable: (any Controllable)?
    typealias State = NoState

    private func show(_ key: String) {
        controllable?.render(key, controllable?.getValue(key) ?? "nothing")
    }
}

/// A controller that counts, and suspends in between.
final class CountingController: BusinessLogicController {
    static let events: EventTable<CountingController> = [
        .default("count") { controller in
            let count = controller.state + 1
            controller.controllable?.render("counting", Value(count))
            for _ in 1...3 { await Task.yield() }
            controller.state = count
            controller.controllable?.render("counted", Value(count))
        },
        .event("chatter") { controller in
            for number in 1...100 { controller.controllable?.render("number", Value(number)) }
        },
    ]

    static let page = Page("counter") { _ in CountingController() }

    weak var controllable: (any Controllable)?
    var state = 0
}

/// A controller that renders how often it ran, and then throws.
final class FailingController: BusinessLogicController {
    static let events: EventTable<FailingController> = [
        .default("fail") { controller in
            controller.runs += 1
            controller.controllable?.render("run", Value(controller.runs))
            throw controller.error
        },
        .event("succeed") { $0.controllable?.render("runs", Value($0.runs)) },
    ]

    static func page(_ error: any Error) -> Page {
        Page("failing") { _ in FailingController(error) }
    }

    weak var controllable: (any Controllable)?
    typealias State = NoState
    private var runs = 0
    private let error: any Error

    init(_ error: any Error) {
        self.error = error
    }
}

/// A controller that renders more than a session's maximum size, or a given size.
final class WordyController: BusinessLogicController {
    static let events: EventTable<WordyController> = [
        .default("talk") { $0.controllable?.render("text", .string(String(repeating: "a", count: 70_000))) },
        .event("say", reads: ["key", Field("count", .number)]) { controller in
            let count = controller.controllable?.getValue("count")?.integer ?? 0
            controller.controllable?.render(
                controller.text("key") ?? "",
                .string(String(repeating: "a", count: count))
            )
        },
        .event("remember", reads: [Field("count", .number)]) { controller in
            let count = controller.controllable?.getValue("count")?.integer ?? 0
            controller.state.append(String(repeating: "a", count: count))
        },
    ]

    static let page = Page("wordy") { _ in WordyController() }

    weak var controllable: (any Controllable)?
    var state: [String] = []
}

/// A controller that waits until it is cancelled.
final class SilentController: BusinessLogicController {
    static let events: EventTable<SilentController> = [
        .default("wait") { _ in
            for await _ in AsyncStream<Never>.makeStream().stream {}
        }
    ]

    static let page = Page("silent") { _ in SilentController() }

    weak var controllable: (any Controllable)?
    typealias State = NoState
}

/// A controller that calls a closure on its event loop's thread.
final class BlockingController: BusinessLogicController {
    static let events: EventTable<BlockingController> = [.default("block") { $0.block() }]

    weak var controllable: (any Controllable)?
    typealias State = NoState
    private let block: @Sendable () -> Void

    init(_ block: @escaping @Sendable () -> Void) {
        self.block = block
    }
}
