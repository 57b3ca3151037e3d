import BusinessLogic

/// A day of the calendar, as an embedder's own type.
struct Day: FieldValue {
    static let fieldKind = FieldKind.string
    static let fieldFormat: String? = "date"
    static let fieldExample: Value = "1980-05-12"
    static let fieldMaximumLength = 10

    let text: String
    var fieldValue: Value { .string(text) }

    init?(fieldValue: Value) {
        guard let text = fieldValue.string, text.count == 10 else { return nil }
        self.text = text
    }
}

/// A page that declares all kinds of fields, outputs, messages and destinations.
final class DescribedController: BusinessLogicController {
    static let birthday = Field<Day>("birthday", description: "The day of birth.")
    static let newsletter = Field<Bool>("newsletter", whenAbsent: false)
    static let visits = Field<Int?>("visits")
    static let pin = Field<String>("pin", isSecret: true, maximumLength: 4)

    static let title = Output<String>("title", description: "The title.")
    static let count = Output<Int?>("count")
    static let guests = Output<[Guest]>("guests")
    static let host = Output<Guest?>("host")
    static let anything = Output<Value>("anything")
    static let error = Output<Message?>("error")

    /// A guest, who may have brought another one.
    struct Guest: OutputValue {
        static let outputType = OutputType.object([
            .init("name", .string), .init("weight", .number),
            .init("pet", .optional(.object([.init("kind", .string)]))),
        ])
        var outputValue: Value { ["name": "Lisa", "weight": 1.5, "pet": nil] }
    }

    static let events: EventTable<DescribedController> = [
        .default(
            "signed",
            reads: birthday,
            newsletter,
            visits,
            gives: [
                .renders(title), .renders(count), .renders(guests), .renders(host), .renders(anything),
                .renders(error, .tooYoung), .alerts(.welcome), .goes(to: Destination<Day>.cake),
                .goes(to: Destination<Void>.settings),
            ]
        ) { _, _, _, _ in },
        .event("onStart", reads: pin, gives: [.rendersAnyMessage(in: error)]) { _, _ in },
        .event("left") { _ in },
    ]

    typealias State = NoState
    weak var controllable: (any Controllable)?
}

extension Message {
    fileprivate static let tooYoung = Message(code: "guest.tooYoung", text: "Too young", field: "birthday")
    fileprivate static let welcome = Message.notice(code: "guest.welcome", text: "Welcome")
}

extension Destination where Values == Day {
    fileprivate static var cake: Destination { Destination("Cake", page: "cake", CakeController.birthday) }
}

extension Destination where Values == Void {
    fileprivate static var settings: Destination { .ofClient("Settings") }
}

/// A page with an event that another page has as well.
final class CakeController: BusinessLogicController {
    static let birthday = Field<Day>("birthday")
    static let events: EventTable<CakeController> = [.default("onStart", reads: birthday) { _, _ in }]

    typealias State = NoState
    weak var controllable: (any Controllable)?
}
