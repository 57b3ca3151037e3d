import BusinessLogic
import TestSupport

/// A controller with a field of every kind, which counts how often it ran.
final class ProbeController: BusinessLogicController {
    static let events: EventTable<ProbeController> = [
        .event("nothingRead") { $0.state += 1 },
        .default(
            "everythingRead",
            reads: ["text", Field("number", .number), Field("boolean", .boolean), .optional("note"), .secret("pin")]
        ) { $0.state += 1 },
        .event("chattered") { controller in
            for number in 1...1000 { controller.controllable?.render("number", Value(number)) }
        },
        .event("alerted") { $0.controllable?.showAlert(.probe) },
        .event("left") { $0.controllable?.goToPage("Elsewhere", ["number": 7]) },
        .event("failed") { controller in
            controller.state += 1
            controller.controllable?.render("number", 0)
            throw Outage()
        },
    ]

    /// A value for each field that `everythingRead` reads.
    static let everything: Value.Object = ["text": "a", "number": 1, "boolean": true, "note": .null, "pin": "0000"]

    weak var controllable: (any Controllable)?
    /// How many events ran.
    var state = 0
}

extension Message {
    static let probe = Message(code: "probe.alerted", text: "Probe")
}
