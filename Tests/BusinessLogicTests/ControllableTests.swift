struct ControllableTests {
    /// A screen with only the required methods.
    final class PlainScreen: Controllable {
        weak var eventable: (any Eventable)?
        private(set) var rendered: Value.Object = [:]

        func render(_ key: String, _ value: Value) { rendered[key] = value }

        func getValue(_ key: String) -> Value? { nil }
    }

    @Test func `a screen that does not implement messages renders their text`() {
        let screen = PlainScreen()
        screen.render("message", .wrongCredentials)
        #expect(screen.rendered == ["message": "Wrong username or password"])
    }

    @Test func `a screen that does not implement alerts and destinations ignores both`() {
        let screen = PlainScreen()
        screen.showAlert(.probe)
        screen.goToPage("Home")
        screen.goToPage("ProductDetail", ["product": "Car"])
        #expect(screen.rendered == [:])
    }
}
