/// A day of birth, as an embedder's own type.
package struct Birthday: ScreenValue {
    package static let valueSchema = ValueSchema.string(format: "date", example: "1980-05-12", maximumLength: 10)

    package let text: String
    package var screenValue: Value { .string(text) }

    package init?(screenValue: Value) {
        guard let text = screenValue.string, text.count == 10 else { return nil }
        self.text = text
    }
}

/// A page that declares all kinds of fields, outputs, messages and destinations.
package final class DescribedController: StatelessController, BusinessLogicController {
    package static let birthday = Field<Birthday>("birthday", description: "The day of birth.")
    package static let newsletter = Field<Bool>("newsletter").whenAbsent(false)
    package static let visits = Field<Int?>("visits")
    package static let pin = Field<String>("pin", isSecret: true, maximumLength: 4)

    package static let title = Output<String>("title", description: "The title.")
    package static let count = Output<Int?>("count")
    package static let guests = Output<[Guest]>("guests")
    package static let host = Output<Guest?>("host")
    package static let anything = Output<Value>("anything")
    package static let error = Output<Message?>("error")

    /// A guest, who may have brought another one.
    package struct Guest: ObjectValue {
        let name: String, weight: Double, pet: Pet?

        package static let object = ObjectSchema(
            Guest.init(name:weight:pet:),
            Member("name", \.name),
            Member("weight", \.weight),
            Member("pet", \.pet)
        )
    }

    /// An animal that a guest has brought.
    package struct Pet: ObjectValue {
        let kind: String

        package static let object = ObjectSchema(Pet.init(kind:), Member("kind", \.kind))
    }

    package static let events: EventTable<DescribedController> = [
        .default(
            "signed",
            reads: birthday,
            newsletter,
            visits,
            gives: [
                .renders(title), .renders(count), .renders(guests), .renders(host), .renders(anything),
                .renders(error, .tooYoung), .alerts(.welcome), .goes(to: Destination<Birthday>.cake),
                .goes(to: Destination<Void>.settings),
            ]
        ) { _, _, _, _ in },
        .event("onStart", reads: pin, gives: [.rendersAnyMessage(in: error)]) { _, _ in },
        .event("left") { _ in },
    ]
}

extension Message {
    fileprivate static let tooYoung = Message(code: "guest.tooYoung", text: "Too young", field: "birthday")
    fileprivate static let welcome = Message.notice(code: "guest.welcome", text: "Welcome")
}

extension Destination where Values == Birthday {
    fileprivate static var cake: Destination { Destination("Cake", page: "cake", CakeController.birthday) }
}

extension Destination where Values == Void {
    fileprivate static var settings: Destination { .ofClient("Settings") }
}

/// A page with an event that another page has as well.
package final class CakeController: StatelessController, BusinessLogicController {
    package static let birthday = Field<Birthday>("birthday")
    package static let events: EventTable<CakeController> = [.default("onStart", reads: birthday) { _, _ in }]
}
