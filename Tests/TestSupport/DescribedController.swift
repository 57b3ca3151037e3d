package import BusinessLogic

/// A day of the calendar, as an embedder's own type.
package struct Day: FieldValue {
    package static let fieldKind = FieldKind.string
    package static let fieldFormat: String? = "date"
    package static let fieldExample: Value = "1980-05-12"
    package static let fieldMaximumLength = 10

    package let text: String
    package var fieldValue: Value { .string(text) }

    package init?(fieldValue: Value) {
        guard let text = fieldValue.string, text.count == 10 else { return nil }
        self.text = text
    }
}

/// A page that declares all kinds of fields, outputs, messages and destinations.
package final class DescribedController: BusinessLogicController {
    package static let birthday = Field<Day>("birthday", description: "The day of birth.")
    package static let newsletter = Field<Bool>("newsletter", whenAbsent: false)
    package static let visits = Field<Int?>("visits")
    package static let pin = Field<String>("pin", isSecret: true, maximumLength: 4)

    package static let title = Output<String>("title", description: "The title.")
    package static let count = Output<Int?>("count")
    package static let guests = Output<[Guest]>("guests")
    package static let host = Output<Guest?>("host")
    package static let anything = Output<Value>("anything")
    package static let error = Output<Message?>("error")

    /// A guest, who may have brought another one.
    package struct Guest: OutputValue {
        package static let outputType = OutputType.object([
            .init("name", .string), .init("weight", .number),
            .init("pet", .optional(.object([.init("kind", .string)]))),
        ])
        package var outputValue: Value { ["name": "Lisa", "weight": 1.5, "pet": nil] }
    }

    package static let events: EventTable<DescribedController> = [
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

    package typealias State = NoState
    package weak var controllable: (any Controllable)?

    package init() {}
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
package final class CakeController: BusinessLogicController {
    package static let birthday = Field<Day>("birthday")
    package static let events: EventTable<CakeController> = [.default("onStart", reads: birthday) { _, _ in }]

    package typealias State = NoState
    package weak var controllable: (any Controllable)?

    package init() {}
}
