/// What the pages of the onboarding share.
struct Onboarding: Codable, Equatable {
    var phone = ""
    var notes: [String] = []
}

let onboarding = SessionValue("onboarding", Onboarding())

/// Asks for a telephone number, and stores it in the session.
struct PhoneController: Script {
    static let phone = Field<PhoneNumber>("phone")
    static let attempts = Field<Int>("attempts").whenAbsent(1)
    static let newsletter = Field<Bool>("newsletter").whenAbsent(false)
    static let summary = Output<String>("summary")
    static let profile = Destination<PhoneNumber>("Profile", page: "profile", phone)

    static let events: Events = [
        .default(
            "phoneEntered",
            reads: phone,
            attempts,
            newsletter,
            gives: [.renders(summary), .goes(to: profile)],
            examples: [["phone": "+1", "attempts": 1, "newsletter": true]]
        ) { controller, phone, attempts, newsletter in
            controller.onboarding.value.phone = phone.text
            controller.render(summary, "\(phone.text), \(attempts), \(newsletter)")
            controller.goToPage(profile, phone)
        },
        .event("noted", reads: Field<Int>("count"), examples: [["count": 1]]) {
            $0.onboarding.value.notes.append("a".repeated($1))
        },
        .event("failed") {
            $0.onboarding.value.phone = "lost"
            throw Outage()
        },
    ]

    static let page = Page("phone") { Scripted(PhoneController(onboarding: $0[UnderstudyTests.onboarding])) }

    let onboarding: Shared<Onboarding>
}

/// Shows what the session stores.
struct ProfileController: Script {
    static let stored = Output<String>("stored")
    static let notes = Output<Int>("notes")

    static let events: Events = [
        .default("viewDidLoad", reads: PhoneController.phone, gives: [.renders(stored)]) { controller, _ in
            controller.render(stored, controller.onboarding.value.phone)
        },
        .event("counted", gives: [.renders(notes)]) { $0.render(notes, $0.onboarding.value.notes.count) },
    ]

    static let page = Page("profile") { Scripted(ProfileController(onboarding: $0[UnderstudyTests.onboarding])) }

    let onboarding: Shared<Onboarding>
}
