struct ControllableTests {
    /// A screen with only the required methods.
    final class PlainScreen: Controllable {
        weak var eventable: (any Eventable)?
        private(set) var rendered: Value.Object = [:]

        func render(_ key: String, _ value: Value) { rendered[key] = value }

        func getValue(_ key: String) -> Value? { nil }
    }

    @Test
    func `a screen with only the required methods renders texts of messages, and ignores alerts and destinations`() {
        let screen = PlainScreen()
        screen.render("message", .wrongCredentials)
        screen.showAlert(.probe)
        screen.goToPage("Home")
        screen.goToPage("ProductDetail", ["product": "Car"])
        #expect(screen.rendered == ["message": "Wrong username or password"])
    }
}
