@Suite(.fiveMinutes) @MainActor struct FollowingTests {
    let store = SlotStore()
    let clock = ManualClock()

    @Test func `a screen that follows its page shows updates, and events of other clients`() async throws {
        let service = UnderstudyService(pages: [SlotsController.page(store, clock: clock)]) { $0.topics = store.topics }
        let session = RemoteSession(ServiceTransport(service))
        let (eventable, screen) = (RemoteEventable("slots", in: session), SignallingScreen())
        eventable.controllable = screen
        try await eventable.dispatchEvent("cityChosen")
        #expect(screen.rendered == [0])

        let following = Task { await eventable.follow() }
        store.set(3, in: "Berlin")
        await screen.wait(for: 2)
        #expect(screen.rendered == [0, 3])

        let state = try #require(await session.state)
        let other = RemoteEventable("slots", in: RemoteSession(ServiceTransport(service), resuming: state))
        try await other.dispatchEvent("holdButtonPressed")
        await screen.wait(for: 3)
        #expect(screen.rendered == [0, 3, true])
        following.cancel()
        await following.value
    }
}
