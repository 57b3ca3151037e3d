/// Where controllers and handlers wait until a test opens it. A cancellation does not end the wait.
package final class Latch: Sendable {
    let opening = Tally()
    /// Those that have come so far.
    package let arrivals = Tally()

    package init() {}

    /// Returns when the test has opened it.
    package func wait() async {
        arrivals.add()
        await opening.reaches(1)
    }

    /// Lets all through that wait, and all later ones.
    package func open() { opening.add() }
}
