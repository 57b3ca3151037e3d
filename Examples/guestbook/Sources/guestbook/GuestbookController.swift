import BusinessLogic

/// Greets each guest by name, and counts them.
final class GuestbookController: BusinessLogicController {
    static let name = Field<String>("name")
    static let newsletter = Field<Bool>("newsletter").whenAbsent(false)
    static let greeting = Output<String>("greeting")

    static let events: EventTable<GuestbookController> = [
        .default("signButtonPressed", reads: name, newsletter, gives: [.renders(greeting), .alerts(.noName)]) {
            $0.sign(name: $1, newsletter: $2)
        }
    ]

    weak var controllable: (any Controllable)?
    var state = 0

    private func sign(name: String, newsletter: Bool) {
        guard !name.isEmpty else { return showAlert(.noName) }
        state += 1
        render(Self.greeting, "Welcome \(name), you are guest \(state)")
    }
}

extension Message {
    static let noName = Message(code: "guestbook.noName", text: "Please write your name")
}
