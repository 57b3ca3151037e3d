import BusinessLogic

/// An embedder's page with everything that can be declared.
final class EmbeddedController: BusinessLogicController {
    static let events: EventTable<EmbeddedController> = [
        .default("amountEntered", reads: [Field("amount", .number), Field("isGift", .boolean, isOptional: true)]) { _ in
        },
        .event("pinEntered", reads: [Field("pin", .number, isSecret: true)]) { _ in },
        .event("closed") { _ in },
    ]

    typealias State = NoState
    weak var controllable: (any Controllable)?
}

/// A page with an example that must be quoted in a shell.
final class LetterController: BusinessLogicController {
    static let events: EventTable<LetterController> = [
        .event("closed") { _ in },
        .default(
            "sent",
            reads: ["to", .secret("pin"), .optional("note")],
            examples: [["to": #"Lisa's "friend" & co"#, "pin": "1234", "note": nil]]
        ) { _ in },
    ]

    typealias State = NoState
    weak var controllable: (any Controllable)?
}

/// A page whose event reads nothing.
final class BellController: BusinessLogicController {
    static let events: EventTable<BellController> = [.default("rung") { _ in }]

    typealias State = NoState
    weak var controllable: (any Controllable)?
}

/// A page with names that must be quoted in YAML.
final class AwkwardController: BusinessLogicController {
    static let events: EventTable<AwkwardController> = [
        .default("null", reads: awkward.map { .optional($0) }) { _ in },
        .event("a b") { _ in },
        .event("a.b") { _ in },
        .event("") { _ in },
        .event("multiple\n  lines\n") { _ in },
        .event("`*&{}[]|>%@-: #'\"\\\u{0}\u{7F}\u{2028}🦇") { _ in },
    ]

    static let awkward = [
        "yes", "No", "y", "~", "1e3", "0x1F", "0o17", "1:30", "2024-01-01", ".5", "-", "- a", "a: b", "a #b", "=", "<<",
        " leading", "trailing ", "tab\there", "line\n", "\n", "\r\n", "", "é", "🦇", "a\u{FEFF}b", "\u{85}", "$ref", "/",
        "a\"b", "'",
        String(repeating: "long ", count: 40), String(repeating: "x", count: 200),
    ]

    typealias State = NoState
    weak var controllable: (any Controllable)?
}
