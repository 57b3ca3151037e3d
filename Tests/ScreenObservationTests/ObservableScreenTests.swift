import Foundation
import Observation
import ScreenObservation
import TestSupport
import Understudy
import UnderstudyClient

@Suite(.fiveMinutes) @MainActor struct ObservableScreenTests {
    /// Where the logic runs. The screen is the same.
    enum Place: CaseIterable { case here, server }

    /// Runs `body` with the screen of a page of the demonstration.
    func withScreen(
        of page: String,
        _ place: Place,
        _ controller: any Eventable,
        _ body: (ObservableScreen) async throws -> Void
    ) async throws {
        guard place == .server else { return try await body(ObservableScreen(controller)) }
        try await withRunningServer(UnderstudyService(pages: Page.demo())) { server async throws in
            let url = try #require(URL(string: "http://\(server.address)"))
            try await body(ObservableScreen(RemoteEventable(page, in: RemoteSession(url))))
        }
    }

    typealias Login = LoginBusinessLogicController
    let login = Login(credentials: FixedCredentials.demo, clock: ManualClock())

    @Test(arguments: Place.allCases)
    func `a login shows its message, and then goes to the page Home`(place: Place) async throws {
        try await withScreen(of: "login", place, login) { screen async throws in
            // As TextField and SecureField do.
            #expect(screen[Login.username] == "")
            screen[keyPath: \.[Login.username]] = "batman"
            screen[keyPath: \.[Login.password]] = "robin"
            await screen.send("loginButtonPressed")
            #expect(screen[Login.message] == .wrongCredentials)
            #expect(screen.error == nil)
            #expect(screen.destination == nil)
            #expect(screen[Login.password] == "robin")

            screen[Login.password] = "bruce"
            await screen.send("loginButtonPressed")
            #expect(screen.destination?.name == Destination.home.name)
            #expect(screen.runningEvent == nil)
        }
    }

    @Test(arguments: Place.allCases)
    func `a list of products shows them, an alert, and a destination with a value`(place: Place) async throws {
        typealias Logic = ProductsPresenter
        try await withScreen(of: "products", place, Logic(repository: ProductsRepository.demo)) { screen async throws in
            await screen.send("onStart")
            #expect(screen[Logic.title] == "Products")
            #expect(screen[Logic.loading] == false)
            let products = try #require(screen[Logic.products])
            #expect(products.map(\.name).contains("Car"))

            screen[Logic.product] = "Car"
            await screen.send("onSelected")
            let car = try #require(screen.destination)
            #expect(car[ProductDetailPresenter.product] == "Car")
            await screen.send("onSelected")
            #expect(screen.destination != car)

            #expect(!screen.isAlertShown)
            screen[Logic.product] = "Train"
            await screen.send("onSelected")
            #expect(screen.alert == .unknownProduct)
            screen.isAlertShown = false
            #expect(screen.alert == nil)
        }
    }

    @Test(arguments: Place.allCases)
    func `a value that the event does not accept is a fault until the user changes it`(place: Place) async throws {
        try await withScreen(of: "login", place, login) { screen async throws in
            #expect(screen[Login.password] == "")
            screen[Login.username] = "a".repeated(255)
            await screen.send("loginButtonPressed")
            #expect(screen.fault(of: Login.username)?.reason == .tooLong(maximum: 254))
            #expect(screen.fault(of: Login.password) == nil)
            #expect(screen.error is EventError)
            #expect(!screen.isEnabled("loginButtonPressed"))
            #expect(screen.isEnabled("another"))
            // A text field sets its text again when it loses the focus.
            screen[Login.username] = "a".repeated(255)
            #expect(!screen.isEnabled("loginButtonPressed"))

            screen[Login.username] = "batman"
            #expect(screen.faults.isEmpty)
            #expect(screen.isEnabled("loginButtonPressed"))
        }
    }

    @Test func `an event that fails shows what was there before`() async {
        let screen = ObservableScreen(Scripted(Steps()))
        await screen.send("step")
        screen.isAlertShown = false
        screen.destination = nil
        await screen.send("fail")
        #expect(screen[Steps.count] == 1)
        #expect(screen.error is Outage)
        #expect(screen.alert == nil)
        #expect(screen.destination == nil)
        await screen.send("step")
        #expect(screen[Steps.count] == 2)
        #expect(screen.error == nil)
        #expect(screen.isAlertShown)
        #expect(screen.destination?.name == Destination.home.name)
    }

    @Test func `while an event runs, values appear, a second tap is dropped, and a change waits`() async throws {
        let latch = Latch()
        let screen = ObservableScreen(Scripted(Steps(latch: latch)))
        let running = Task { await screen.send("wait") }
        await latch.arrivals.reaches(1)
        #expect(screen[Steps.count] == 1)
        #expect(screen.runningEvent == "wait")
        #expect(!screen.isEnabled("step"))
        await screen.send("step")
        #expect(screen[Steps.count] == 1)

        let waiting = Task { await screen.send("step", whileRunning: .wait) }
        let cancelled = Task { await screen.send("step", whileRunning: .wait) }
        cancelled.cancel()
        await cancelled.value
        latch.open()
        await running.value
        await waiting.value
        #expect(screen[Steps.count] == 2)
    }

    @Test func `an update stays although the event after it fails`() async throws {
        let (store, clock) = (SlotStore(), ManualClock())
        let updating = UpdatingEventable(SlotsController(store, clock: clock), topics: store.topics, clock: clock)
        let screen = ObservableScreen(updating)
        screen[SlotsController.city] = "Berlin"
        await screen.send("cityChosen")
        store.set(3, in: "Berlin")
        await screen.send("unknown")
        #expect(screen.error is EventError)
        #expect(screen[SlotsController.slots] == 3)
        store.set(4, in: "Berlin")
        store.fail()
        await screen.send("holdButtonPressed")
        #expect(screen[SlotsController.slots] == 3)
        #expect(screen[SlotsController.isHeld] == true)
    }

    @Test func `a view is told about what it has read, and about nothing else`() async {
        let screen = ObservableScreen(Scripted(Steps()))
        let (outputs, alerts) = (LockedValue(0), LockedValue(0))
        withObservationTracking {
            _ = screen[Steps.count]
        } onChange: {
            outputs.change { $0 += 1 }
        }
        withObservationTracking {
            _ = screen.alert
        } onChange: {
            alerts.change { $0 += 1 }
        }
        screen[Steps.size] = 3
        #expect(outputs.value == 0)
        await screen.send("step")
        #expect(outputs.value == 1)
        #expect(alerts.value == 1)
    }

    @Test func `fields of other types have a value when the user has chosen one, or start with one`() async {
        let screen = ObservableScreen(Scripted(Steps()))
        #expect(screen[Steps.size] == nil)
        #expect(screen[Steps.size, default: 4] == 4)
        #expect(screen[Steps.isLoud])
        #expect(screen[Steps.note] == "")
        await screen.send("choose")
        #expect(screen[Steps.chosen] == "4 true ''")
        screen[keyPath: \.[Steps.size]] = 5
        screen[keyPath: \.[Steps.isLoud]] = false
        screen[keyPath: \.[Steps.note]] = "é"
        await screen.send("choose")
        #expect(screen[Steps.chosen] == "5 false 'é'")
        #expect(screen[Steps.hint] == nil)
        screen[keyPath: \.[Steps.size]] = nil
        screen.render("hint", .null)
        #expect(screen[Steps.size] == nil)
        #expect(screen[Steps.hint] == nil)
    }

    @Test func `the screen does not keep itself alive`() async {
        weak var screen: ObservableScreen?
        do {
            let kept = ObservableScreen(Scripted(Steps()))
            screen = kept
            await kept.send("step")
        }
        #expect(screen == nil)
    }
}

/// A controller with an event for each way to end.
private struct Steps: Script {
    static let count = Output<Int>("count")
    static let chosen = Output<String>("chosen")
    static let hint = Output<String?>("hint")
    static let size = Field<Int>("size")
    static let isLoud = Field<Bool>("isLoud").whenAbsent(true)
    static let note = Field<String?>("note")
    static let initial = 0

    static let events: Events = [
        .default("step", gives: [.renders(count), .alerts(.stepped), .goes(to: .home)]) { $0.step() },
        .event("fail", gives: [.renders(count), .alerts(.stepped), .goes(to: .home)]) {
            $0.step()
            throw Outage()
        },
        .event("wait", gives: [.renders(count)]) { controller in
            controller.state += 1
            controller.render(count, controller.state)
            await controller.latch?.wait()
        },
        .event("choose", reads: size, isLoud, note, gives: [.renders(chosen)]) {
            $0.render(chosen, "\($1) \($2) '\($3 ?? "nil")'")
        },
    ]

    var latch: Latch?
}

extension Scripted<Steps> {
    fileprivate func step() {
        state += 1
        render(Steps.count, state)
        showAlert(.stepped)
        goToPage(.home)
    }
}

extension Message {
    fileprivate static let stepped = Message.notice(code: "steps.stepped", text: "One more step")
}
