import Understudy

/// Updates in a rehearsal run alike in all modes.
struct RehearsedUpdatesTests {
    let store = SlotStore()
    let clock = ManualClock()

    func run(_ rehearsal: Rehearsal, _ scenario: (Screens, TestControllable) async throws -> Void) async throws {
        let page = SlotsController.page(store, clock: clock)
        try await rehearsal.run([page], topics: store.topics, clock: clock) { try await scenario($0, $0[page]) }
    }

    @Test(arguments: Rehearsal.allCases)
    func `an update that fails gives nothing, and runs again`(rehearsal: Rehearsal) async throws {
        try await run(rehearsal) { screens, screen in
            try await screen.send("cityChosen", ["city": "Berlin"])
            screen.expect(SlotsController.slots, 0)
            store.fail()
            try await screens.publish(Topic("slots", key: "Berlin"))
            store.fail(nil)
            try await screens.advance(by: .zero)
            screen.expect(SlotsController.slots, 0)
        }
    }
}
