// The samples of the article "Store your own data".
import BusinessLogic
import Understudy
import UnderstudyCommandLine

let migrations: [SQLText] = [
    SQLText(
        postgreSQL: "CREATE TABLE own_slot (name text NOT NULL PRIMARY KEY, booking text)",
        sqlite: "CREATE TABLE own_slot (name TEXT NOT NULL PRIMARY KEY, booking TEXT) STRICT"
    )
]

extension Topic {
    static let slots: Topic = "slots"
}

struct Slots: Sendable {
    let database: PageDatabase

    private static let select = SQLStatement(
        "free slots",
        "SELECT name FROM own_slot WHERE booking IS NULL ORDER BY name"
    )

    private static let insert = SQLStatement("add slot", "INSERT INTO own_slot (name) VALUES ($1)")

    private static let update = SQLStatement(
        "book slot",
        "UPDATE own_slot SET booking = $2 WHERE name = $1 AND booking IS NULL RETURNING name"
    )

    private static let booked = SQLStatement("booked slots", "SELECT name FROM own_slot WHERE booking = $1")

    private static let cancel = SQLStatement("cancel slots", "UPDATE own_slot SET booking = NULL WHERE booking = $1")

    func free() async throws -> [String] {
        try await database.read(Self.select()) { try $0.text(0) }
    }

    func add(_ name: String) async throws {
        try await database.stage([Self.insert(name)], publishing: .slots)
    }

    /// Returns `false` if the slot is not free.
    func book(_ name: String, for user: String) async throws -> Bool {
        guard try await free().contains(name) else { return false }
        let step = Self.update(name, user).requiringRow()
        do {
            try await database.stage([step], publishing: .slots)
            return true
        } catch is DataHaveChanged {
            return false
        }
    }

    /// Cancels all bookings of a user. Returns the names of the slots.
    func cancelAll(of user: String) async throws -> [String] {
        try await database.write(publishing: .slots) { transaction in
            let names = try transaction.read(Self.booked(user)) { try $0.text(0) }
            try transaction.execute([Self.cancel(user)])
            return names
        }
    }

    /// Cancels what a session has booked.
    func cancel(_ session: EndedSession) async throws {
        try await database.stage([Self.cancel(session.key)], publishing: .slots)
    }
}

final class SlotsController: BusinessLogicController {
    static let slots = Output<[String]>("slots", description: "The free slots.")

    static let events: EventTable<SlotsController> = [
        .default("viewDidLoad", gives: [.renders(slots)]) { try await $0.show() },
        .update("slotsChanged", on: .slots, gives: [.renders(slots)]) { try await $0.show() },
    ]

    typealias State = NoState
    weak var controllable: (any Controllable)?
    private let repository: Slots

    init(repository: Slots) {
        self.repository = repository
    }

    private func show() async throws {
        render(Self.slots, try await repository.free())
    }
}

func serveSlots() async throws {
    var application = Application(title: "Slots", version: "1.0") { dependencies in
        let database = try dependencies.database ?? .inMemory(migrations)
        return [Page("slots") { _ in SlotsController(repository: Slots(database: database)) }]
    }
    application.migrations = migrations
    try await application.run()
}

func cancellingPage(_ slots: Slots) -> Page {
    Page("slots", onSessionEnd: { try await slots.cancel($0) }) { _ in SlotsController(repository: slots) }
}
