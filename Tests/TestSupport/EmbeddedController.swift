/// An embedder's page with everything that can be declared.
package final class EmbeddedController: StatelessController, BusinessLogicController {
    package static let events: EventTable<EmbeddedController> = [
        .default("amountEntered", reads: Field<Double>("amount"), Field<Bool?>("isGift")) { _, _, _ in },
        .event("pinEntered", reads: Field<Double>("pin", isSecret: true)) { _, _ in },
        .event("closed") { _ in },
    ]
}

/// A page whose event reads nothing.
package final class BellController: StatelessController, BusinessLogicController {
    package static let events: EventTable<BellController> = [.default("rung") { _ in }]
}

/// A page with names that must be quoted in YAML.
package final class AwkwardController: StatelessController, BusinessLogicController {
    package static let events: EventTable<AwkwardController> = [
        .default("null", reads: field(0)) { _, _ in },
        row("y", reading: 0),
        row("a b", reading: 6),
        row("a.b", reading: 12),
        row("", reading: 18),
        row("multiple\n  lines\n", reading: 24),
        row("`*&{}[]|>%@-: #'\"\\\u{0}\u{7F}\u{2028}🦇", reading: 30),
    ]

    /// A row that reads six fields, from that index on.
    static func row(_ event: Event, reading first: Int) -> EventRow<AwkwardController> {
        .event(
            event,
            reads: field(first),
            field(first + 1),
            field(first + 2),
            field(first + 3),
            field(first + 4),
            field(first + 5)
        ) { _, _, _, _, _, _, _ in }
    }

    static func field(_ index: Int) -> Field<String?> { Field(awkward[index]) }

    /// The names of the fields. Each is in the table.
    package static let awkward = [
        "yes", "No", "y", "~", "1e3", "0x1F", "0o17", "1:30", "2024-01-01", ".5", "-", "- a", "a: b", "a #b", "=", "<<",
        " leading", "trailing ", "tab\there", "line\n", "\n", "\r\n", "", "é", "🦇", "a\u{FEFF}b", "\u{85}", "$ref", "/",
        "a\"b", "'", "on", "off", "NULL",
        "long ".repeated(40), "x".repeated(200),
    ]
}
