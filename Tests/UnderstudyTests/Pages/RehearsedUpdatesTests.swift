/// Updates in a rehearsal run alike in all modes.
struct RehearsedUpdatesTests {
    @Test(arguments: Rehearsal.allCases)
    func `an update that fails gives nothing, and runs again`(rehearsal: Rehearsal) async throws {
        let (store, clock) = (SlotStore(), ManualClock())
        let page = SlotsController.page(store, clock: clock)
        try await rehearsal.run([page], topics: store.topics, clock: clock) { screens in
            let screen = screens[page]
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
