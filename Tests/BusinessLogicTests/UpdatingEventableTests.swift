@Suite(.fiveMinutes) @MainActor struct UpdatingEventableTests {
    let store = SlotStore()
    let clock = ManualClock()
    let screen = SignallingScreen()
    let eventable: UpdatingEventable<SlotsController>

    init() {
        eventable = UpdatingEventable(SlotsController(store, clock: clock), topics: store.topics, clock: clock)
        eventable.controllable = screen
        screen.eventable = eventable
    }

    @Test func `updates run while the screen follows, and before its next event`() async throws {
        try await eventable.dispatchEvent("cityChosen")
        store.set(1, in: "Berlin")
        try await eventable.dispatchEvent("holdButtonPressed")
        #expect(screen.rendered == [0, 1, true])

        let following = Task { await eventable.follow() }
        clock.advance(by: .seconds(119))
        store.set(2, in: "Berlin")
        await screen.wait(for: 4)
        #expect(screen.rendered == [0, 1, true, 2])
        clock.advance(by: .seconds(1))
        store.set(3, in: "Berlin")
        await screen.wait(for: 6)
        #expect(screen.rendered == [0, 1, true, 2, 3, false])
        following.cancel()
        await following.value
        store.set(4, in: "Berlin")
        #expect(screen.rendered.count == 6)
    }

    @Test func `a timer runs at its time`() async throws {
        try await eventable.dispatchEvent("holdButtonPressed")
        clock.advance(by: .milliseconds(119_950))
        let following = Task { await eventable.follow() }
        clock.advance(by: .milliseconds(50))
        await screen.wait(for: 2)
        #expect(screen.rendered == [true, false])
        following.cancel()
    }
}
