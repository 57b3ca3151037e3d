import Synchronization

/// The free slots of cities. Who changes them publishes the city's topic.
package final class SlotStore: Sendable {
    package let topics = Topics()
    struct State {
        var slots: [String: Int] = [:]
        var failure: (any Error & Sendable)?
        var reads = 0
    }

    let state = Mutex(State())

    package init() {}

    /// Sets the number of free slots, and publishes it.
    package func set(_ count: Int, in city: String) {
        state.withLock { $0.slots[city] = count }
        topics.publish(Topic("slots", key: city))
    }

    /// What the next reads throw; `nil` for none.
    package func fail(_ failure: (any Error & Sendable)? = CollaboratorError.outage()) {
        state.withLock { $0.failure = failure }
    }

    /// How often the slots have been read.
    package var reads: Int { state.withLock(\.reads) }

    func slots(in city: String) throws -> Int {
        try state.withLock { state in
            state.reads += 1
            if let failure = state.failure { throw failure }
            return state.slots[city] ?? 0
        }
    }
}

/// A controller that follows the slots of the chosen city, and holds one for two minutes.
package final class SlotsController: BusinessLogicController {
    package static let city = Field<String>("city")
    package static let slots = Output<Int>("slots")
    package static let isHeld = Output<Bool>("isHeld")
    package static let events: EventTable<SlotsController> = [
        .update("slotsChanged", on: { $0.state.topics }, gives: [.renders(slots)]) { try await $0.show() },
        .default("cityChosen", reads: city, gives: [.renders(slots)], examples: [["city": "Berlin"]]) {
            $0.state.city = $1
            try await $0.show()
        },
        .wake("holdExpired", at: { $0.state.heldUntil }, gives: [.renders(isHeld)]) { $0.release() },
        .event("holdButtonPressed", gives: [.renders(isHeld)]) { $0.hold() },
    ]

    package struct State: Codable, Equatable, Sendable {
        package var city: String?
        package var heldUntil: Timestamp?

        fileprivate var topics: [Topic] { city.map { [Topic("slots", key: $0)] } ?? [] }
    }

    package weak var controllable: (any Controllable)?
    package var state = State()
    let store: SlotStore
    let clock: any WallClock
    let results: PageContext.Results?

    package init(_ store: SlotStore, clock: any WallClock, results: PageContext.Results? = nil) {
        self.store = store
        self.clock = clock
        self.results = results
    }

    package static func page(_ store: SlotStore, clock: any WallClock) -> Page {
        Page("slots") { SlotsController(store, clock: $0.recorded(clock), results: $0.results) }
    }

    func show() async throws {
        guard let city = state.city else { return }
        let count = try await results?.from("slots") { [store] in try store.slots(in: city) }
        render(Self.slots, try count ?? store.slots(in: city))
    }

    func hold() {
        state.heldUntil = clock.now + .seconds(120)
        render(Self.isHeld, true)
    }

    func release() {
        state.heldUntil = nil
        render(Self.isHeld, false)
    }
}
