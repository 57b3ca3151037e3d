/// A screen in an app, on which a test waits for the next value.
@MainActor package final class SignallingScreen: @preconcurrency Controllable {
    package var eventable: (any Eventable)?
    /// All values that have been rendered, in order.
    package private(set) var rendered: [Value] = []
    let renderings = Tally()

    package init() {}

    package func render(_ key: String, _ value: Value) {
        rendered.append(value)
        renderings.add()
    }

    package func getValue(_ key: String) -> Value? { "Berlin" }

    /// Waits until so many values have been rendered in all.
    package func wait(for count: Int) async { await renderings.reaches(count) }
}
