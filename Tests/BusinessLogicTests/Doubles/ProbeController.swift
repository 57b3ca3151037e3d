/// A controller with a field of every kind, which counts how often it ran.
final class ProbeController: BusinessLogicController {
    static let text = Field<String>("text")
    static let number = Field<Double>("number")
    static let boolean = Field<Bool>("boolean")
    static let note = Field<String?>("note")
    static let pin = Field<String>("pin", isSecret: true)
    static let shownNumber = Output<Int>("number")

    static let events: EventTable<ProbeController> = [
        .event("nothingRead") { $0.state += 1 },
        .default("everythingRead", reads: text, number, boolean, note, pin) { controller, _, _, _, _, _ in
            controller.state += 1
        },
        .event("chattered", gives: [.renders(shownNumber)]) { controller in
            for number in 1...1000 { controller.render(shownNumber, number) }
        },
        .event("alerted", gives: [.alerts(.probe)]) { $0.showAlert(.probe) },
        .event("left", gives: [.goes(to: .elsewhere)]) { $0.goToPage(.elsewhere, 7) },
        .event("failed", gives: [.renders(shownNumber)]) { controller in
            controller.state += 1
            controller.render(shownNumber, 0)
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

extension Destination where Values == Int {
    static var elsewhere: Destination { .ofClient("Elsewhere", Field<Int>("number")) }
}
